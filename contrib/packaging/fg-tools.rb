# typed: strict
# frozen_string_literal: true

# SPDX-License-Identifier: ISC
# Flame graphs of the profiles of any profiler; the recorder needs Linux.
class FgTools < Formula
  desc "Flame graphs of the profiles of any profiler"
  # The tarball of make dist lies beside this file.
  url "file://#{__dir__}/fg-0.9.tar.gz"
  license "ISC"

  depends_on "libdeflate"
  depends_on "pcre2"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "bzip2"
  uses_from_macos "expat"
  uses_from_macos "zlib"

  def install
    system "make"
    system "make", "install", "PREFIX=#{prefix}", "MANDIR=#{man}"
  end

  test do
    (testpath/"in.folded").write "main;run;work 3\nmain;run 1\n"
    system bin/"fg-svg", "-o", "out.svg", "in.folded"
    assert_match "main;run;work 3", shell_output("#{bin}/fg-collapse --no-header out.svg")
  end
end
