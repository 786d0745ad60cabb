/* SPDX-License-Identifier: ISC */
/* Tests of frame-stable: the parts of names that stay the same across builds. */
#include "unit.h"
#include "frame-stable.h"

static void
check(int line, const char *name, const char *want)
{
	struct buf b = { 0 };

	frame_put_stable(&b, str_of(name));
	unit_check_str(buf_view(&b), str_of(want), __FILE__, line, name);
	buf_release(&b);
}

#define BECOMES(name, want) check(__LINE__, name, want)
#define STAYS(name)	    check(__LINE__, name, name)

UNIT(suffixes_go)
{
	BECOMES("read.isra.0", "read");
	BECOMES("read.constprop.0.isra.12", "read");
	BECOMES("read.part.0.cold", "read");
	BECOMES("read.cold.1", "read");
	BECOMES("read.lto_priv.0", "read");
	BECOMES("read.localalias", "read");
	BECOMES("read.llvm.14361869102151041953", "read");
	BECOMES("read.__uniq.1234567890.llvm.5", "read");
	BECOMES("read.clone.31", "read");
	BECOMES("app::f.cold", "app::f");
	BECOMES("read.isra.0_[k]", "read_[k]");
	BECOMES("read.cold_[0]", "read_[0]");
	BECOMES("genunix`read.isra.0+0x1f_[k]", "genunix`read+0x1f_[k]");
	BECOMES("read.cold@plt", "read@plt");
	BECOMES("read.cold (in libc.dylib)", "read (in libc.dylib)");
	BECOMES("f(int) [clone .isra.0]", "f(int)");
	BECOMES("f(int) [clone .isra.0] [clone .cold]", "f(int)");
	BECOMES("f(int) (.isra.0.cold)", "f(int)");
	BECOMES("f(int) (.llvm.123)", "f(int)");
	BECOMES("main._omp_fn.2", "main._omp_fn");
	BECOMES(".omp_outlined..12", ".omp_outlined");
}

UNIT(words_in_names_are_not_suffixes)
{
	STAYS("f.cold_start");
	STAYS("Weather.cold.front");
	STAYS("void Weather.cold()");
	STAYS("Object.clone");
	STAYS("maps.clone");
	STAYS("list.part");
	STAYS("f.isra.x");
	STAYS("f.isra.0x");
	STAYS("f.1");
	STAYS("main.omp_outlined");
	STAYS("f.plt");
	STAYS("Object.clone.x");
	STAYS("read@@GLIBC_2.2.5");
	STAYS("f [clone x]");
	STAYS("f [clone .isra.0");
	STAYS("f (.rodata)");
	STAYS("f (.isra.0");
	STAYS("main.init.0");
}

UNIT(hashes_of_rust_go)
{
	BECOMES("app::run::h0123456789abcdef", "app::run");
	BECOMES("app::run::h0123456789abcdef.llvm.12", "app::run");
	BECOMES("app::run::h0123456789abcdef:src/main.rs:1:2", "app::run:src/main.rs");
	BECOMES("_ZN3app3run17h0123456789abcdefE", "_ZN3app3runE");
	BECOMES("_ZN3app3run17h0123456789abcdefE.llvm.5", "_ZN3app3runE");
	BECOMES("app[846817f741e54dfd]::run", "app::run");
	BECOMES("<app[846817f741e54dfd]::A as core[12345678901]::B>::f",
		"<app::A as core::B>::f");
	STAYS("app::run::h0123456789abcde");
	STAYS("app::run::h0123456789abcdef0");
	STAYS("app::h0123456789abcdef::run");
	STAYS("x17h0123456789abcdefE");
	STAYS("a[16]::f");
	STAYS("a[abi:cxx11]::f");
	STAYS("a[deadbeef]");
	STAYS("[846817f741e54dfd]::f");
}

UNIT(closures_lose_their_numbers)
{
	BECOMES("f(int)::{lambda(int)#2}::operator()",
		"f(int)::{lambda(int)}::operator()");
	BECOMES("g<f::{lambda()#1}, h::{lambda()#12}>",
		"g<f::{lambda()}, h::{lambda()}>");
	BECOMES("f::{unnamed type#3}::g", "f::{unnamed type}::g");
	BECOMES("f::$_0::operator()() const", "f::$_::operator()() const");
	BECOMES("std::function<f()::$_21, void ()>", "std::function<f()::$_, void ()>");
	BECOMES("$_2::__invoke", "$_::__invoke");
	BECOMES("f::'lambda0'(int)::operator()", "f::'lambda'(int)::operator()");
	BECOMES("A::'unnamed1'::f", "A::'unnamed'::f");
	BECOMES("f::<lambda_0c2a>::operator()", "f::<lambda>::operator()");
	BECOMES("app::run::{closure#1}::{closure#0}", "app::run::{closure}::{closure}");
	BECOMES("<app::{impl#3}>::fmt", "<app::{impl}>::fmt");
	BECOMES("closure #1 (Int) in f()", "closure (Int) in f()");
	BECOMES("implicit closure #12 in f()", "implicit closure in f()");
	BECOMES("_GLOBAL__N_1::f", "_GLOBAL__N_::f");
	STAYS("app::run::{{closure}}");
	STAYS("f(int)::{default arg#1}::g");
	STAYS("f::'lambda'(int)");
	STAYS("'lambda0");
	STAYS("$_0");
	STAYS("foo$_1::g");
	STAYS("<lambda>");
	STAYS("<lambda_>");
	STAYS("<lambda_x>");
	STAYS("#1}");
	STAYS("A#1");
	STAYS("closure #1");
	STAYS("a #1 in f");
	STAYS("_ZN12_GLOBAL__N_13fooEv");
}

UNIT(closures_lose_their_numbers_before_demangling)
{
	BECOMES("_ZZ4mainENKUlvE0_clEv", "_ZZ4mainENKUlvE_clEv");
	BECOMES("_ZZ5parseRSt6vectorI3TokSaIS1_EEENKUlRKS0_S5_E12_clES5_S5_",
		"_ZZ5parseRSt6vectorI3TokSaIS1_EEENKUlRKS0_S5_E_clES5_S5_");
	BECOMES("_ZZ1fvENKUlN1A1BE3FooILi5EPA4_cEE1_clEv.constprop.0",
		"_ZZ1fvENKUlN1A1BE3FooILi5EPA4_cEE_clEv");
	BECOMES("_Z4eachIZ5parseRSt6vectorI3TokSaIS1_EEE3$_2EdS4_T_",
		"_Z4eachIZ5parseRSt6vectorI3TokSaIS1_EEE$_EdS4_T_");
	BECOMES("_ZZ4mainENK4$_10clEv", "_ZZ4mainENK$_clEv");
	BECOMES("_ZZ4mainENK3$_04nameEv", "_ZZ4mainENK$_4nameEv");
	STAYS("_ZZ4mainENKUlvE_clEv");
	STAYS("_ZN1AIiE4_fooEv");
	STAYS("_ZN5STAGE1fEv");
	STAYS("_ZZ1fvENKUlvE_clEv9TYPE1_foo");
	STAYS("_ZUl");
	STAYS("_ZUlS");
	STAYS("_ZUl9E0_");
	STAYS("_ZUl99999999999999999999999E0_");
	STAYS("_ZUlNE0_");
	STAYS("_ZUlA4E0_");
	STAYS("_ZUlT4");
	STAYS("UlvE0_");
	STAYS("3$_0");
	STAYS("_Z9$_0");
}

UNIT(a_jvm_numbers_what_it_makes)
{
	BECOMES("Work$$Lambda$14/0x0000000800c03000.run", "Work$$Lambda.run");
	BECOMES("Work$$Lambda/0x00007f2940007a08.run", "Work$$Lambda.run");
	BECOMES("Work$$Lambda$88+0x00007f2940007a08/360062456.run", "Work$$Lambda.run");
	BECOMES("Work$$Lambda$1.0x0000000800c03000.run_[j]", "Work$$Lambda.run_[j]");
	BECOMES("Work$$Lambda$3/1349393271.run", "Work$$Lambda.run");
	BECOMES("LWork$$Lambda$1;::run", "LWork$$Lambda;::run");
	BECOMES("java.lang.invoke.LambdaForm$MH/0x0000000800c03000.invoke",
		"java.lang.invoke.LambdaForm$MH.invoke");
	BECOMES("LambdaForm$DMH/1349393271.invokeStatic", "LambdaForm$DMH.invokeStatic");
	BECOMES("LambdaForm$MH.0x0000000800c03000.invoke", "LambdaForm$MH.invoke");
	BECOMES("java/lang/X/0x0000000800c03000.f", "java/lang/X.f");
	BECOMES("sun.reflect.GeneratedMethodAccessor12.invoke",
		"sun.reflect.GeneratedMethodAccessor.invoke");
	BECOMES("GeneratedConstructorAccessor1:::newInstance",
		"GeneratedConstructorAccessor:::newInstance");
	BECOMES("jdk.proxy2.$Proxy12.get", "jdk.proxy.$Proxy.get");
	BECOMES("com/sun/proxy/$Proxy3.get", "com/sun/proxy/$Proxy.get");
	BECOMES("Work.lambda$main$0", "Work.lambda$main");
	BECOMES("LWork;::lambda$new$12_[i]", "LWork;::lambda$new_[i]");
	BECOMES("MainKt.main$lambda$0", "MainKt.main$lambda");
	BECOMES("Main$.$anonfun$main$1", "Main$.$anonfun$main");
	STAYS("lambda$1");
	STAYS("_toConsumableArray$1");
	STAYS("SimpleTemplate$1.writeTo");
	STAYS("dgm$1119.invoke");
	STAYS("jdk.proxying");
	STAYS("My$Proxy1.get");
	STAYS("$Proxy1x.get");
	STAYS("A$$Lambdas$1.run");
	STAYS("MyGeneratedMethodAccessor1.f");
	STAYS("a/0x12");
	STAYS("a.0x0000000800c03000.f");
	STAYS("a/0x123456789012345678");
	STAYS("LambdaForm$MH/1x.f");
}

UNIT(go_numbers_its_closures)
{
	BECOMES("main.main.func1", "main.main.func");
	BECOMES("main.main.func1.2.1", "main.main.func..");
	BECOMES("main.run.func2.gowrap1", "main.run.func.gowrap");
	BECOMES("main.run.deferwrap1", "main.run.deferwrap");
	BECOMES("main.run-range1", "main.run-range");
	BECOMES("main.run-range1.func3", "main.run-range.func");
	BECOMES("sync.(*Pool).pinSlow.func1", "sync.(*Pool).pinSlow.func");
	BECOMES("app.(*T).Run.func3", "app.(*T).Run.func");
	BECOMES("net/http.HandlerFunc.func1", "net/http.HandlerFunc.func");
	BECOMES("github.com/a/b.Run.func1", "github.com/a/b.Run.func");
	BECOMES("glob..func1", "glob..func");
	BECOMES("app.run.func1.2", "app.run.func.");
	BECOMES("main.run.func1.2.func3", "main.run.func..func");
	BECOMES("sort.Slice.func1", "sort.Slice.func");
	BECOMES("mime.loadMimeFile.func1", "mime.loadMimeFile.func");
	STAYS("io.app.Bar.func1");
	STAYS("main.func1");
	STAYS("a/b.func1");
	STAYS("com.foo.Bar.func1");
	STAYS("com/foo/Bar.func1");
	STAYS("app.utils.func1");
	STAYS("/opt/a.b.func1");
	STAYS("main.main.func1x");
	STAYS("main.main.function1");
	STAYS("time-range1");
	STAYS("app.f-range1");
}

UNIT(dotnet_numbers_its_closures)
{
	BECOMES("Program.<Main>b__0_1", "Program.<Main>b__");
	BECOMES("Program+<>c__DisplayClass3_0.<Run>b__0",
		"Program+<>c__DisplayClass.<Run>b__");
	BECOMES("Program+<Run>d__12.MoveNext", "Program+<Run>d__.MoveNext");
	BECOMES("Program.<Main>g__Local|0_1", "Program.<Main>g__Local");
	BECOMES("void [app] Program::Run()[QuickJitted]", "void [app] Program::Run()");
	BECOMES("Program.Run[OptimizedTier1]_[j]", "Program.Run_[j]");
	STAYS("Program.Run[Other]");
	STAYS("[PreJIT]");
	STAYS("a [Optimized] b");
	STAYS("Program.b__0_1");
	STAYS("operator|1");
	STAYS("<Main>b__x");
}

UNIT(tiers_and_lines_of_scripts_go)
{
	BECOMES("JS:*work /opt/js.js:2:14", "JS:work /opt/js.js");
	BECOMES("JS:~ /opt/js.js:1:1", "JS: /opt/js.js:1:1");
	BECOMES("JS:~ /opt/js.js:1:20", "JS: /opt/js.js");
	BECOMES("JS:~f /opt/js.js:1:1", "JS:f /opt/js.js");
	BECOMES("~<anonymous> /opt/app.js:1:1", "<anonymous> /opt/app.js:1:1");
	BECOMES("JS:^requireBuiltin node:internal/bootstrap/realm:420:24",
		"JS:requireBuiltin node:internal/bootstrap/realm");
	BECOMES("JS:*cook /opt/menu (copy).js:1:14", "JS:cook /opt/menu (copy).js");
	BECOMES("JS:+f", "JS:f");
	BECOMES("LazyCompile:~f b.js:1", "JS:f b.js");
	BECOMES("Function:*f b.js:1:2_[j]", "JS:f b.js_[j]");
	BECOMES("Script:~ b.js:1:1", "Script: b.js:1:1");
	BECOMES("JS:~f [eval]:1:13", "JS:f [eval]");
	BECOMES("*work /opt/my files/app.js:2:14_[j]", "work /opt/my files/app.js_[j]");
	BECOMES("+f evalmachine.<anonymous>:1:9", "f evalmachine.<anonymous>");
	BECOMES("(anonymous js.js:2)", "(anonymous js.js)");
	STAYS("(anonymous js.js:1)");
	BECOMES("f (http://localhost:8000/a.js:1:2)", "f (http://localhost:8000/a.js)");
	BECOMES("f http://localhost/:1:2", "f http://localhost/");
	BECOMES("f (app.py:12)", "f (app.py)");
	BECOMES("f:work.cpp:38", "f:work.cpp");
	BECOMES("f.isra.0:work.cpp:38_[i]", "f:work.cpp_[i]");
	BECOMES("~Foo:foo.cpp:12", "~Foo:foo.cpp");
	BECOMES("~Foo (foo.cpp:12)", "~Foo (foo.cpp)");
	BECOMES("a::{{closure}}:src/main.rs:12:34", "a::{{closure}}:src/main.rs");
	BECOMES("{closure:/app/x.php:12}", "{closure:/app/x.php}");
}

UNIT(marks_and_numbers_elsewhere_stay)
{
	static const char *const names[] = { "operator+", "a:1", "~Destructor", "C::~C",
		"*ptr", "std::function<void ()>", "host:80", "example.com:443",
		"conn 10.0.0.1:80", "GET http://localhost:8000", "worker (host:80)",
		"Function:f", "LazyCompile:f", "JS:*", "JS:", "Script:run", "kworker/0:1",
		"pool-1-thread-3", "-[Foo bar:1]", "+[Foo bar]", "^", "f<1>", "f()" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		STAYS(names[i]);
}

UNIT(names_that_are_all_number_stay)
{
	STAYS("");
	STAYS(".cold");
	STAYS(".cold_[k]");
	STAYS("libc`.cold");
	STAYS("::h0123456789abcdef");
	STAYS(" [clone .isra.0]");
	STAYS("x.lua:12");
	STAYS("http://localhost:8000/simple.js:30:11");
	STAYS("node:internal/x:1:1");
	STAYS("C:\\a\\b.js:1:2");
	STAYS(":1:2");
}

UNIT(addresses_stay)
{
	STAYS("0x7f1234567890");
	STAYS("[libc.so.6 <2601>]");
	STAYS("[a.isra.0]");
	STAYS("f+0x12");
	STAYS("f 0x7f1234567890");
}

UNIT_MAIN
