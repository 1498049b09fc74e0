package org.relaxvm.backendcpu.fence;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;

/**
 * Memory of Linux between inaccessible pages: a read or write beyond a tensor ends the process.
 *
 * @param isAtEnd whether tensors end where an inaccessible page begins; otherwise they start where
 *     one ends
 */
record FencedMemory(boolean isAtEnd, List<long[]> mapped) implements AutoCloseable {
  private static final long PAGE = 4096;
  private static final int PROT_NONE = 0;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MPROTECT =
      handle("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MUNMAP =
      handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

  FencedMemory(boolean isAtEnd) {
    this(isAtEnd, new ArrayList<>());
  }

  @SuppressWarnings("restricted") // signatures of the C library
  private static MethodHandle handle(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
  }

  /** A copy of a tensor, with its strides and offset, until this is closed. */
  Tensor copy(Tensor tensor) {
    int elementBytes = tensor.dtype().elementByteSize();
    long last = 0;
    for (int axis = 0; axis < tensor.shape().rank(); axis++) {
      last += Math.max(0, (tensor.shape().dim(axis) - 1) * tensor.stride(axis));
    }
    long bytes = tensor.byteOffset() + (tensor.elementCount() == 0 ? 0 : (last + 1) * elementBytes);
    MemorySegment to = allocate(bytes);
    MemorySegment from = HostDevice.segmentOf(tensor.storage().memory());
    to.copyFrom(from.asSlice(0, bytes));
    return Tensor.wrap(to, tensor.dtype(), Shape.of(bytes / elementBytes))
        .stridedView(tensor.shape(), tensor.strides(), tensor.byteOffset() / elementBytes);
  }

  /** Zeros next to an inaccessible page. */
  @SuppressWarnings("restricted") // memory that was mapped with this size
  MemorySegment allocate(long bytes) {
    long inside = (bytes + PAGE - 1) / PAGE * PAGE;
    long total = inside + 2 * PAGE;
    try {
      long address =
          (long) MMAP.invokeExact(0L, total, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      assertThat(address).as("the address that mmap gave").isPositive();
      mapped.add(new long[] {address, total});
      protect(address);
      protect(address + PAGE + inside);
      long start = isAtEnd ? address + PAGE + inside - bytes : address + PAGE;
      return MemorySegment.ofAddress(start).reinterpret(bytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void protect(long page) throws Throwable {
    assertThat((int) MPROTECT.invokeExact(page, PAGE, PROT_NONE)).isZero();
  }

  /** Unmaps all memory. */
  @Override
  public void close() {
    try {
      for (long[] range : mapped) {
        assertThat((int) MUNMAP.invokeExact(range[0], range[1])).isZero();
      }
      mapped.clear();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
