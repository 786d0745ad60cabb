# SPDX-License-Identifier: ISC
# nix-build contrib/packaging builds the checkout that this is in.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "fg-tools";
  version = "0.9";
  src = pkgs.lib.cleanSource ./../..;

  buildInputs = with pkgs; [ bzip2 expat libdeflate libiberty pcre2 xz zlib zstd ];
  nativeCheckInputs = with pkgs; [ bzip2 git jq libxml2 sqlite xz zstd ];

  postPatch = "patchShebangs tests docs";
  makeFlags = [ "PREFIX=$(out)" ];
  doCheck = true;
  checkPhase = "tests/check cases";

  meta = {
    description = "Flame graphs of the profiles of any profiler";
    license = pkgs.lib.licenses.isc;
    platforms = pkgs.lib.platforms.unix;
  };
}
