package org.relaxvm.backendcuda.kernels;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.relaxvm.backendcuda.driver.ToolkitLibrary.UselessException;

/** The functions of NVRTC, as {@code nvrtc.h} of CUDA 11.2 declares them. Thread-safe. */
final class NvrtcCalls {
  static final int SUCCESS = 0;

  /** NVRTC_ERROR_COMPILATION. */
  static final int REFUSED = 6;

  private final MethodHandle version;
  private final MethodHandle archCount;
  private final MethodHandle archs;
  private final MethodHandle create;
  private final MethodHandle compile;
  private final MethodHandle destroy;
  private final MethodHandle errorString;
  private final Output cubin;
  private final Output ptx;
  private final Output log;

  NvrtcCalls(SymbolLookup symbols) {
    version = function(symbols, "nvrtcVersion", ADDRESS, ADDRESS);
    archCount = function(symbols, "nvrtcGetNumSupportedArchs", ADDRESS);
    archs = function(symbols, "nvrtcGetSupportedArchs", ADDRESS);
    create =
        function(
            symbols, "nvrtcCreateProgram", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    compile = function(symbols, "nvrtcCompileProgram", ADDRESS, JAVA_INT, ADDRESS);
    destroy = function(symbols, "nvrtcDestroyProgram", ADDRESS);
    errorString = bind(symbols, "nvrtcGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    cubin = new Output(symbols, "CUBIN");
    ptx = new Output(symbols, "PTX");
    log = new Output(symbols, "ProgramLog");
  }

  private static MethodHandle function(
      SymbolLookup symbols, String name, ValueLayout... parameters) {
    return bind(symbols, name, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(SymbolLookup symbols, String name, FunctionDescriptor type) {
    MemorySegment address =
        symbols
            .find(name)
            .orElseThrow(
                () -> new UselessException("has no " + name + ": it is older than CUDA 11.2"));
    return Linker.nativeLinker().downcallHandle(address, type);
  }

  /** Something that is asked for by its size first. */
  private static final class Output {
    final MethodHandle size;
    final MethodHandle content;

    Output(SymbolLookup symbols, String what) {
      size = function(symbols, "nvrtcGet" + what + "Size", ADDRESS, ADDRESS);
      content = function(symbols, "nvrtcGet" + what, ADDRESS, ADDRESS);
    }
  }

  private interface Call {
    Object invoke() throws Throwable;
  }

  private static Object invoke(Call call) {
    try {
      return call.invoke();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private void check(String what, Call call) {
    int status = (int) invoke(call);
    if (status != SUCCESS) {
      throw new CompileException(what + " failed with " + nameOf(status), "");
    }
  }

  /** A status as NVRTC calls it. */
  @SuppressWarnings("restricted")
  String nameOf(int status) {
    MemorySegment text =
        (MemorySegment) invoke(() -> (MemorySegment) errorString.invokeExact(status));
    return text.address() == 0 ? "status " + status : text.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** Major and minor version. */
  int[] version() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment major = arena.allocate(JAVA_INT);
      MemorySegment minor = arena.allocate(JAVA_INT);
      check("nvrtcVersion", () -> (int) version.invokeExact(major, minor));
      return new int[] {major.get(JAVA_INT, 0), minor.get(JAVA_INT, 0)};
    }
  }

  /** The architectures that it makes machine code for, such as 90 for 9.0. */
  int[] architectures() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      check("nvrtcGetNumSupportedArchs", () -> (int) archCount.invokeExact(count));
      MemorySegment all = arena.allocate(JAVA_INT, Math.max(1, count.get(JAVA_INT, 0)));
      check("nvrtcGetSupportedArchs", () -> (int) archs.invokeExact(all));
      return all.asSlice(0, 4L * count.get(JAVA_INT, 0)).toArray(JAVA_INT);
    }
  }

  /** Begins a program, which {@link #destroy} ends. */
  MemorySegment create(String name, String source, List<IncludedHeader> headers) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment program = arena.allocate(ADDRESS);
      MemorySegment text = arena.allocateFrom(source);
      MemorySegment file = arena.allocateFrom(name);
      int count = headers.size();
      MemorySegment texts = arena.allocate(ADDRESS, count);
      MemorySegment names = arena.allocate(ADDRESS, count);
      for (int i = 0; i < count; i++) {
        texts.setAtIndex(ADDRESS, i, arena.allocateFrom(headers.get(i).text()));
        names.setAtIndex(ADDRESS, i, arena.allocateFrom(headers.get(i).name()));
      }
      check(
          "nvrtcCreateProgram",
          () -> (int) create.invokeExact(program, text, file, count, texts, names));
      return program.get(ADDRESS, 0);
    }
  }

  /** Gives the status: a refused program still has a log. */
  int compile(MemorySegment program, List<String> options) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(ADDRESS, options.size());
      for (int i = 0; i < options.size(); i++) {
        all.setAtIndex(ADDRESS, i, arena.allocateFrom(options.get(i)));
      }
      int count = options.size();
      return (int) invoke(() -> (int) compile.invokeExact(program, count, all));
    }
  }

  byte[] cubin(MemorySegment program) {
    return get(cubin, program, "nvrtcGetCUBIN");
  }

  /** With the 0 at its end. */
  byte[] ptx(MemorySegment program) {
    return get(ptx, program, "nvrtcGetPTX");
  }

  String log(MemorySegment program) {
    byte[] text = get(log, program, "nvrtcGetProgramLog");
    return new String(text, UTF_8).replace("\0", "").strip();
  }

  private byte[] get(Output output, MemorySegment program, String what) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
      check(what + "Size", () -> (int) output.size.invokeExact(program, size));
      MemorySegment content = arena.allocate(Math.max(1, size.get(ValueLayout.JAVA_LONG, 0)));
      check(what, () -> (int) output.content.invokeExact(program, content));
      return content.asSlice(0, size.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  void destroy(MemorySegment program) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocateFrom(ADDRESS, program);
      check("nvrtcDestroyProgram", () -> (int) destroy.invokeExact(handle));
    }
  }
}
