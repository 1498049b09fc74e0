package org.relaxvm.backendcuda.emulation;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.relaxvm.backendcuda.driver.Launch;

/** A program that {@link HostCompiler} made. Thread-safe. */
final class EmulatedLibrary {
  private static final Linker LINKER = Linker.nativeLinker();

  private final Arena arena = Arena.ofShared();
  private final SymbolLookup symbols;

  @SuppressWarnings("restricted")
  EmulatedLibrary(byte[] image) {
    try {
      Path file = Files.createTempFile("emulated-cuda", ".so");
      Files.write(file, image);
      symbols = SymbolLookup.libraryLookup(file, arena);
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean has(String kernel) {
    return symbols.find(kernel + "__launch").isPresent();
  }

  /** Most threads of a block of a kernel. */
  int threads(String kernel) {
    try {
      MethodHandle call = handle(kernel + "__threads", FunctionDescriptor.of(JAVA_INT));
      return (int) call.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** A call that launches a kernel and waits for it; arguments are copied now. */
  Runnable launch(String kernel, Launch launch) {
    MethodHandle call = handle(kernel + "__launch", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
    ByteBuffer given = launch.arguments();
    byte[] arguments = new byte[given.remaining()];
    given.get(given.position(), arguments);
    int[] size = {
      launch.grid().x(), launch.grid().y(), launch.grid().z(),
      launch.block().x(), launch.block().y(), launch.block().z(),
      launch.dynamicSharedBytes()
    };
    return () -> {
      try (Arena own = Arena.ofConfined()) {
        // As aligned as any parameter can be.
        MemorySegment block = own.allocate(Math.max(1, arguments.length), 64);
        MemorySegment.copy(MemorySegment.ofArray(arguments), 0, block, 0, arguments.length);
        call.invokeExact(block, own.allocateFrom(JAVA_INT, size));
      } catch (Throwable e) {
        throw new IllegalStateException("the emulated kernel " + kernel + " failed", e);
      }
    };
  }

  @SuppressWarnings("restricted")
  private MethodHandle handle(String symbol, FunctionDescriptor type) {
    Optional<MemorySegment> found = symbols.find(symbol);
    return LINKER.downcallHandle(found.orElseThrow(), type);
  }

  void close() {
    arena.close();
  }
}
