@echo off
rem Starts the relaxvm command: finds a JDK, builds what is missing, composes the class path.
rem `relaxvm --help` lists the commands; the variables below are described in plugins/README.md and CONTRIBUTING.md.
rem
rem   RELAXVM_JAVA_HOME    the JDK to use, instead of looking for one
rem   RELAXVM_JDK_FOLDERS  semicolon-separated folders that hold JDKs, instead of the usual ones
rem   RELAXVM_JAVA_OPTS    further flags for the JVM
rem   RELAXVM_MAVEN_ARGS   further arguments for Maven when it builds
rem
rem Sources that changed after a build are not noticed here: delete target\launcher to build anew.
setlocal EnableExtensions DisableDelayedExpansion

set "min_java=25"
set "main_class=org.relaxvm.cli.Main"
set "jvm_flags=--add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=deny -Djava.awt.headless=true"
set "home=%~dp0"
if "%home:~-1%"=="\" set "home=%home:~0,-1%"
set "plugin_dirs="
set "arguments="
set "java_home="

rem ---- arguments: --plugins is taken out, the others stay as they are, in order ----
if exist "%home%\plugins\" set "plugin_dirs=%home%\plugins"
:next_argument
if "%~1"=="" if [%1]==[] goto arguments_read
if "%~1"=="--" goto other_arguments
if not "%~1"=="--plugins" goto keep_argument
if "%~2"=="" (
  echo relaxvm: --plugins needs a folder with jars after it. 1>&2
  exit /b 2
)
call :add_plugins "%~2" || exit /b 2
shift
shift
goto next_argument
:keep_argument
set arguments=%arguments% %1
shift
goto next_argument
:other_arguments
if [%1]==[] goto arguments_read
set arguments=%arguments% %1
shift
goto other_arguments
:arguments_read

rem ---- JDK ----
if defined RELAXVM_JAVA_HOME (
  call :try_java "%RELAXVM_JAVA_HOME%"
  if not defined java_home (
    echo relaxvm: RELAXVM_JAVA_HOME does not name a JDK %min_java% or newer: %RELAXVM_JAVA_HOME% 1>&2
    exit /b 1
  )
)
if not defined java_home if defined JAVA_HOME call :try_java "%JAVA_HOME%"
if not defined java_home for /f "delims=" %%j in ('where java 2^>nul') do call :try_java "%%~dpj.."
if not defined RELAXVM_JDK_FOLDERS set "RELAXVM_JDK_FOLDERS=%ProgramFiles%\Eclipse Adoptium;%ProgramFiles%\Java;%USERPROFILE%\.jdks"
set "folders=%RELAXVM_JDK_FOLDERS%"
:next_folder
if defined java_home goto java_found
for /f "tokens=1* delims=;" %%a in ("%folders%") do (
  for /d %%d in ("%%~a\*") do call :try_java "%%~d"
  set "folders=%%b"
  goto next_folder
)
echo relaxvm: no JDK %min_java% or newer was found. Install one (for example from https://adoptium.net) or name it in RELAXVM_JAVA_HOME. 1>&2
exit /b 1
:java_found

rem ---- build ----
set "lib=%home%\lib"
if not exist "%home%\pom.xml" goto built
set "lib=%home%\target\launcher\lib"
if exist "%lib%\built" goto built
where mvn >nul 2>nul || (
  echo relaxvm: Maven is needed to build, and there is no mvn on PATH. 1>&2
  exit /b 1
)
echo relaxvm: building (first run takes about a minute) ... 1>&2
if not exist "%home%\target\launcher" mkdir "%home%\target\launcher"
set "JAVA_HOME=%java_home%"
call mvn -B -ntp -f "%home%\pom.xml" -Dquick -Dmaven.test.skip=true -pl cli -am package %RELAXVM_MAVEN_ARGS% >"%home%\target\launcher\build.log" 2>&1
if errorlevel 1 (
  echo relaxvm: the build failed; the build log is %home%\target\launcher\build.log 1>&2
  exit /b 1
)
if not exist "%lib%" mkdir "%lib%"
copy /y "%home%\cli\target\quick\*.jar" "%lib%" >nul
copy /y "%home%\cli\target\quick\lib\*.jar" "%lib%" >nul
type nul >"%lib%\built"
:built
if not exist "%lib%\" (
  echo relaxvm: neither sources nor jars beside %~f0: install again. 1>&2
  exit /b 1
)

rem ---- class path ----
set "class_path=%lib%\*"
set "folders=%plugin_dirs%"
:next_plugins
for /f "tokens=1* delims=;" %%a in ("%folders%") do (
  set "class_path=%class_path%;%%~a\*"
  set "folders=%%b"
  goto next_plugins
)
"%java_home%\bin\java" %jvm_flags% %RELAXVM_JAVA_OPTS% "-Drelaxvm.plugins=%plugin_dirs%" -cp "%class_path%" %main_class% %arguments%
exit /b %errorlevel%

:add_plugins
if not exist "%~1\" (
  echo relaxvm: the plugin folder '%~1' does not exist. --plugins takes a folder with jars; every jar in it goes on the class path. 1>&2
  exit /b 2
)
if defined plugin_dirs (set "plugin_dirs=%plugin_dirs%;%~1") else set "plugin_dirs=%~1"
exit /b 0

:try_java
if defined java_home exit /b 0
if not exist "%~1\bin\java.exe" exit /b 0
if exist "%home%\pom.xml" if not exist "%~1\bin\javac.exe" exit /b 0
set "major="
for /f "tokens=2 delims==" %%v in ('findstr /b "JAVA_VERSION=" "%~1\release" 2^>nul') do for /f "delims=." %%m in (%%v) do set "major=%%~m"
if defined major if %major% geq %min_java% set "java_home=%~f1"
exit /b 0
