package org.relaxvm.integrationtests.plugins;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.FunctionProvider;

/** The ways in which one jar on the class path can be wrong, and what is said of each. */
enum BadJar {
  OTHER_SPI_VERSION(
      "other (JAR) broken: it was built for SPI version 99, but this RelaxVM has SPI version 2; use"
          + " a version of the jar that was built for this RelaxVM",
      () -> new ProviderSource("other").version("99").jar()),
  CONSTRUCTOR_THROWS(
      "construct.Provider (JAR) broken: its constructor failed: java.lang.RuntimeException: no;"
          + " replace or remove the jar",
      () ->
          new ProviderSource("construct")
              .members("public Provider() { throw new RuntimeException(\"no\"); }")
              .jar()),
  PROBE_THROWS(
      "probe (JAR) broken: probe() failed: java.lang.IllegalStateException: oops; replace or remove"
          + " the jar",
      () ->
          new ProviderSource("probe")
              .probing("if (true) throw new IllegalStateException(\"oops\");")
              .jar()),
  OPEN_THROWS(
      "open (JAR) broken: opening it failed: java.lang.IllegalStateException: stuck; replace or"
          + " remove the jar",
      () ->
          new ProviderSource("open")
              .opening("if (true) throw new IllegalStateException(\"stuck\");")
              .jar()),
  OPEN_REFUSES(
      "refuse (JAR) unusable: no driver found; install the driver",
      () ->
          new ProviderSource("refuse")
              .opening(
                  "if (true) throw new BackendException(ErrorKind.RUNTIME,"
                      + " \"no driver found; install the driver\");")
              .jar()),
  STACK_OVERFLOWS(
      "overflow.Provider (JAR) broken: name() failed: java.lang.StackOverflowError; replace or"
          + " remove the jar",
      () -> new ProviderSource("overflow").naming("name();").jar()),
  LIBRARY_ABSENT(
      "absent (JAR) unusable: opening it failed: a native library is missing: no nosuchlibrary in"
          + " java.library.path: PATH; TO-INSTALL",
      () -> new ProviderSource("absent").opening("System.loadLibrary(\"nosuchlibrary\");").jar()),
  LIBRARY_FILE_ABSENT(
      "file (JAR) unusable: opening it failed: a native library is missing: Can't load library:"
          + " /nowhere/libnosuch.so; TO-INSTALL",
      () -> new ProviderSource("file").opening("System.load(\"/nowhere/libnosuch.so\");").jar()),
  LOOKED_UP_LIBRARY_ABSENT(
      "lookup (JAR) unusable: opening it failed: a native library is missing: Cannot open library:"
          + " libnosuch.so; TO-INSTALL",
      () ->
          new ProviderSource("lookup")
              .opening("SymbolLookup.libraryLookup(\"libnosuch.so\", Arena.global());")
              .jar()),
  LIBRARY_OF_A_CLASS_ABSENT(
      "initial (JAR) unusable: opening it failed: a native library is missing: no nosuchlibrary in"
          + " java.library.path: PATH; TO-INSTALL",
      () ->
          new ProviderSource("initial")
              .members(
                  "static class Calls { static { System.loadLibrary(\"nosuchlibrary\"); }"
                      + " static void use() {} }")
              .opening("Calls.use();")
              .jar()),
  NATIVE_METHOD_ABSENT(
      "method (JAR) broken: opening it failed: no native library has the method 'int"
          + " method.Provider.count()'; replace or remove the jar",
      () -> new ProviderSource("method").members("native int count();").opening("count();").jar()),
  CLASS_ABSENT(
      "lost.Provider (JAR) broken: it cannot be loaded: META-INF/services lists a class that is"
          + " missing; replace or remove the jar",
      () -> new ProviderSource("lost").jar().without("lost/Provider.class")),
  CLASS_OF_A_LIBRARY_ABSENT(
      "needy (JAR) broken: opening it failed: class helper.Helper is missing; add the jar or module"
          + " that holds the class, or replace or remove the jar",
      () ->
          new ProviderSource("needy")
              .opening("helper.Helper.help();")
              .jar()
              .source(
                  "helper/Helper.java",
                  "package helper; public class Helper { public static void help() {} }")
              .without("helper/Helper.class")),
  SUPERCLASS_ABSENT(
      "child.Provider (JAR) broken: it cannot be loaded: class base.Base is missing; add the jar or"
          + " module that holds the class, or replace or remove the jar",
      () ->
          new ProviderSource("child")
              .superclass("base.Base")
              .jar()
              .source("base/Base.java", "package base; public class Base {}")
              .without("base/Base.class")),
  NO_PROVIDER(
      "none.Other (JAR) broken: it cannot be loaded: META-INF/services lists a class that does not"
          + " implement the interface; replace or remove the jar",
      () ->
          new JarBuilder()
              .source("none/Other.java", "package none; public class Other {}")
              .service(BackendProvider.class, "none.Other")),
  NO_PUBLIC_CONSTRUCTOR(
      "hidden.Provider (JAR) broken: it cannot be loaded: it has no public constructor without"
          + " parameters; replace or remove the jar",
      () -> new ProviderSource("hidden").members("Provider() {}").jar()),
  FUNCTIONS_CLASS_ABSENT(
      "lost.Functions (JAR) broken: it cannot be loaded: META-INF/services lists a class that is"
          + " missing; replace or remove the jar",
      () -> new JarBuilder().service(FunctionProvider.class, "lost.Functions")),
  DAMAGED_CLASS(
      "damaged.Provider (JAR) broken: it cannot be loaded: java.lang.ClassFormatError: Truncated"
          + " class file; replace or remove the jar",
      () -> new ProviderSource("damaged").jar().truncated("damaged/Provider.class")),
  OLDER_INTERFACE(
      "old.Provider (JAR) broken: spiVersion() failed: its class does not implement the method; use"
          + " a jar built for this version of RelaxVM",
      () ->
          new JarBuilder()
              .source(
                  "org/relaxvm/api/spi/BackendProvider.java",
                  "package org.relaxvm.api.spi; public interface BackendProvider {}")
              .source(
                  "old/Provider.java",
                  "package old; public class Provider implements"
                      + " org.relaxvm.api.spi.BackendProvider {}")
              .without("org/relaxvm/api/spi/BackendProvider.class")
              .service(BackendProvider.class, "old.Provider")),
  MODULE_INFO_ONLY(
      "FILE (JAR) broken: its module-info provides org.relaxvm.api.spi.BackendProvider, but"
          + " META-INF/services does not list it, and on the class path only that counts; put the"
          + " jar on the module path together with RelaxVM, or use a version of it that has the"
          + " file META-INF/services/org.relaxvm.api.spi.BackendProvider",
      () ->
          new ProviderSource("modular")
              .unlistedJar()
              .source(
                  "module-info.java",
                  "module modular { requires org.relaxvm.api; provides"
                      + " org.relaxvm.api.spi.BackendProvider with modular.Provider; }")),
  EMPTY_FILE(
      "FILE (JAR) broken: it is an empty file; copy, download or build the jar again, or remove it",
      path -> Files.createFile(path)),
  TEXT_FILE(
      "FILE (JAR) broken: it is not a jar, whatever its name says; copy, download or build the jar"
          + " again, or remove it",
      path -> Files.writeString(path, "<html>404 not found</html>")),
  TRUNCATED_FILE(
      "FILE (JAR) broken: it is cut short or damaged: zip END header not found; copy, download or"
          + " build the jar again, or remove it",
      path -> {
        byte[] bytes = Files.readAllBytes(new ProviderSource("half").jar().build(path));
        Files.write(path, Arrays.copyOf(bytes, bytes.length / 2));
      }),
  EMPTY_FOLDER(
      "FILE (JAR) broken: it is an empty folder, not a jar; put the jar in its place, or remove it",
      path -> Files.createDirectory(path)),
  DANGLING_LINK(
      "FILE (JAR) broken: it is a link to /nowhere/plugin.jar, which does not exist; correct the"
          + " link, or remove it",
      path -> Files.createSymbolicLink(path, Path.of("/nowhere/plugin.jar"))),
  NO_FILE(
      "FILE (JAR) broken: it does not exist; correct the class path, or put the jar there",
      path -> {});

  /** What to do about an absent library. */
  static final String INSTALL_LIBRARY =
      "install the library for "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
          + ", or name its folder in LD_LIBRARY_PATH and in -Djava.library.path, which ./relaxvm"
          + " takes from RELAXVM_JAVA_OPTS";

  @FunctionalInterface
  private interface Maker {
    void make(Path path) throws IOException;
  }

  private final String message;
  private final Maker maker;

  BadJar(String message, Supplier<JarBuilder> jar) {
    this(message, (Path path) -> jar.get().build(path));
  }

  BadJar(String message, Maker maker) {
    this.message = message;
    this.maker = maker;
  }

  /** Puts the jar into a folder. */
  Path in(Path folder) {
    Path path = folder.resolve(name().toLowerCase(Locale.ROOT) + ".jar");
    try {
      maker.make(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return path;
  }

  /** All that is said of the jar: its one diagnosis as text. */
  String messageFor(Path path) {
    return message
        .replace("TO-INSTALL", INSTALL_LIBRARY)
        .replace("JAR", path.toString())
        .replace("FILE", path.getFileName().toString())
        .replace("PATH;", System.getProperty("java.library.path") + ";");
  }
}
