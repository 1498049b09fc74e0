package org.relaxvm.interoptvm.shim;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.relaxvm.interoptvm.object.Machine;

/** The C library's way to load libraries. */
final class LoadedShim {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final int NOW = 2;
  private static final int GLOBAL = 0x100;
  private static final MethodHandle OPEN =
      c(
          "dlopen",
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  private static final MethodHandle FIND =
      c(
          "dlsym",
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
  private static final MethodHandle CLOSE =
      c("dlclose", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

  // Found beforehand: to look it up after a failure would forget the failure.
  private static final MethodHandle ERROR =
      c("dlerror", FunctionDescriptor.of(ValueLayout.ADDRESS));

  private final MemorySegment handle;
  private final Arena arena;

  private LoadedShim(MemorySegment handle, Arena arena) {
    this.handle = handle;
    this.arena = arena;
  }

  /** This JVM's machine; on systems that load no ELF files the test is skipped, and says so. */
  static Machine requireMachine() {
    boolean linux = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
    Machine machine = Machine.ofJvm(System.getProperty("os.arch"));
    boolean loadable = linux && (machine == Machine.X86_64 || machine == Machine.AARCH64);
    if (!loadable) {
      System.out.println("skipped: no ELF libraries are loaded here");
    }
    Assumptions.assumeTrue(loadable, "no ELF libraries are loaded here");
    return machine;
  }

  /** For its own use: libraries that other tests open must not find its symbols. */
  static LoadedShim load(byte[] image, Path file, Arena arena) throws Throwable {
    Files.write(file, image);
    return open(file, false, arena);
  }

  /** Opens a library; without {@code global} for its own use only. */
  static LoadedShim open(Path file, boolean global, Arena arena) throws Throwable {
    MemorySegment name = arena.allocateFrom(file.toString());
    MemorySegment handle = (MemorySegment) OPEN.invokeExact(name, NOW | (global ? GLOBAL : 0));
    if (handle.address() == 0) {
      throw new IOException(error());
    }
    return new LoadedShim(handle, arena);
  }

  @SuppressWarnings("restricted") // the text ends with a NUL byte
  private static String error() throws Throwable {
    MemorySegment text = (MemorySegment) ERROR.invokeExact();
    return text.address() == 0 ? "no reason" : text.reinterpret(Long.MAX_VALUE).getString(0);
  }

  private static MethodHandle c(String name, FunctionDescriptor type) {
    return handle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  @SuppressWarnings("restricted") // the tests know the types of what they call
  private static MethodHandle handle(MemorySegment function, FunctionDescriptor type) {
    return LINKER.downcallHandle(function, type);
  }

  /** An address in native code that calls a method. */
  @SuppressWarnings("restricted") // the tests know the types of what they call
  static MemorySegment stub(MethodHandle target, FunctionDescriptor type, Arena arena) {
    return LINKER.upcallStub(target, type, arena);
  }

  /** A function of the library. */
  MethodHandle function(String symbol, FunctionDescriptor type) throws Throwable {
    return handle(find(symbol), type);
  }

  /** The table of the library, with so many words. */
  @SuppressWarnings("restricted") // the tests know the size
  MemorySegment table(int words) throws Throwable {
    return find(ElfShim.TABLE).reinterpret(8L * words);
  }

  MemorySegment find(String symbol) throws Throwable {
    return (MemorySegment) FIND.invokeExact(handle, arena.allocateFrom(symbol));
  }

  void close() throws Throwable {
    int result = (int) CLOSE.invokeExact(handle);
    if (result != 0) {
      throw new IOException(error());
    }
  }
}
