package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.function.ObjLongConsumer;
import org.relaxvm.backendcuda.driver.CLibrary;
import org.relaxvm.backendcuda.emulation.EmulatedCuda;

/**
 * A library with the functions of cuBLAS, which works in memory of the host, and in streams of an
 * emulated device. For one thread but for its GEMMs.
 */
public final class ImitatedCublas {
  /** The version of a driver that it can be used with. */
  public static final int DRIVER = 12060;

  private final Path file;
  private final MethodHandle handles;
  private final MethodHandle gemms;
  private final MethodHandle ltGemms;
  private final MethodHandle plans;
  private final MethodHandle objects;
  private final MethodHandle workspace;
  private final MethodHandle fail;
  private final MethodHandle defer;
  private final MethodHandle run;

  /** Streams of this driver do the GEMMs. */
  private EmulatedCuda driver = new EmulatedCuda(1, 8, 0);

  @SuppressWarnings("restricted")
  private ImitatedCublas(Path file) {
    this.file = file;
    SymbolLookup symbols = SymbolLookup.libraryLookup(file, Arena.global());
    handles = function(symbols, "handles", FunctionDescriptor.of(JAVA_INT));
    gemms = function(symbols, "products", FunctionDescriptor.of(JAVA_INT));
    ltGemms = function(symbols, "ltProducts", FunctionDescriptor.of(JAVA_INT));
    plans = function(symbols, "plans", FunctionDescriptor.of(JAVA_INT));
    objects = function(symbols, "objects", FunctionDescriptor.of(JAVA_INT));
    workspace = function(symbols, "workspace", FunctionDescriptor.of(JAVA_LONG));
    fail = function(symbols, "fail", FunctionDescriptor.ofVoid(JAVA_INT));
    defer = function(symbols, "defer", FunctionDescriptor.ofVoid(ADDRESS));
    run = function(symbols, "run", FunctionDescriptor.ofVoid(ADDRESS));
  }

  /** Compiles it; without a compiler the test is skipped, and says so. */
  public static ImitatedCublas compile(Path folder) throws IOException {
    return new ImitatedCublas(compile(folder.resolve("libcublas-imitation.so"), 12));
  }

  /** Compiles a file of some major version. */
  static Path compile(Path library, int major) throws IOException {
    String source = source("cublas.c") + source("cublaslt.c");
    return CLibrary.compile(library, source, "-DMAJOR=" + major, "-Wl,--no-as-needed", "-lm");
  }

  private static String source(String name) throws IOException {
    try (InputStream in = ImitatedCublas.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle function(
      SymbolLookup symbols, String name, FunctionDescriptor descriptor) {
    MemorySegment address = symbols.find("imitation_" + name).orElseThrow();
    return Linker.nativeLinker().downcallHandle(address, descriptor);
  }

  private static Object call(MethodHandle function, Object... args) {
    try {
      return function.invokeWithArguments(args);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Its file. */
  public Path file() {
    return file;
  }

  /** What is found where it is installed. Its GEMMs take place in streams of a driver. */
  @SuppressWarnings("restricted")
  public CublasSource found(EmulatedCuda of) {
    driver = of;
    try {
      MethodHandle later =
          MethodHandles.lookup()
              .findVirtual(
                  ObjLongConsumer.class,
                  "accept",
                  MethodType.methodType(void.class, Object.class, long.class))
              .bindTo((ObjLongConsumer<MemorySegment>) this::later)
              .asType(MethodType.methodType(void.class, MemorySegment.class, long.class));
      MemorySegment upcall =
          Linker.nativeLinker()
              .upcallStub(later, FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG), Arena.global());
      call(defer, upcall);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    return source(DRIVER);
  }

  /** What a driver finds where it is installed. */
  CublasSource source(int driverVersion) {
    System.setProperty(Cublas.SETTING, file.toString());
    System.setProperty(CublasLt.SETTING, file.toString());
    try {
      CublasSource source = CublasSource.of(driverVersion);
      source.findLt();
      return source;
    } finally {
      System.clearProperty(Cublas.SETTING);
      System.clearProperty(CublasLt.SETTING);
    }
  }

  private void later(MemorySegment job, long stream) {
    driver.submit(stream, () -> call(run, job));
  }

  /** How many handles were made and not destroyed. */
  public int handles() {
    return (int) call(handles);
  }

  /** How many calls of GEMMs of cuBLASLt there were since it was found. */
  public int ltGemms() {
    return (int) call(ltGemms);
  }

  /** How often cuBLASLt was asked for an algorithm since it was found. */
  public int plans() {
    return (int) call(plans);
  }

  /** How many objects of cuBLASLt were made and not destroyed. */
  public int objects() {
    return (int) call(objects);
  }

  /** How many calls of GEMMs of cuBLAS there were since it was found. */
  public int gemms() {
    return (int) call(gemms);
  }

  /** The workspace of the latest GEMM. */
  public long workspace() {
    return (long) call(workspace);
  }

  /** Calls fail from now on; with 0 they do not. */
  public void fail(int status) {
    call(fail, status);
  }
}
