package org.relaxvm.backendcpu.micro;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.kernel.CodeChoice;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.machine.x64.Feature;

/**
 * Matrices that end where an inaccessible page begins, or begin where one ends: code that reads or
 * writes one element too far ends the JVM of the tests.
 */
class GuardedMemoryTest {
  private static final KernelSignature SIGNATURE =
      KernelLibrary.standard().signatures().stream()
          .filter(signature -> signature.name().equals("relaxvm.matmul"))
          .findFirst()
          .orElseThrow();
  private static final long PAGE = 1 << 16;
  private static final long AREA = 1 << 22;
  private static final int READ_AND_WRITE = 3;
  private static final int PRIVATE_ANONYMOUS = 0x22;

  private final Random random = new Random(11);

  @BeforeAll
  static void requireLinux() {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "guard pages are those of Linux");
    MachineCode code = MachineCode.current();
    assumeTrue(code.isAvailable(), code.reason());
  }

  @Test
  void nothingOutsideOfTheMatricesIsTouched() throws Throwable {
    MemorySegment[] areas = {area(), area(), area()};
    for (Set<Feature> features : List.of(MachineCode.current().features(), Feature.x86V3())) {
      CpuKernel kernel =
          MachineMatmul.of(features)
              .products(
                  call -> {
                    throw new IllegalStateException("not computed in machine code");
                  });
      for (int i = 0; i < 1500; i++) {
        int most = i % 3 == 0 ? 130 : 40;
        int m = 1 + random.nextInt(most);
        int n = 1 + random.nextInt(most);
        int k = 1 + random.nextInt(i % 10 == 0 ? 700 : most);
        product(kernel, areas, m, n, k);
      }
      product(kernel, areas, 1, 1021, 1022);
      product(kernel, areas, 1022, 1, 1021);
      product(kernel, areas, 3, 1000, 1041);
    }
  }

  private void product(CpuKernel kernel, MemorySegment[] areas, int m, int n, int k) {
    boolean isDouble = random.nextInt(4) == 0 && (long) n * k * 8 < AREA;
    DType dtype = isDouble ? DType.FLOAT64 : DType.FLOAT32;
    boolean isAtEnd = random.nextBoolean();
    boolean isLeftTransposed = random.nextBoolean();
    boolean isRightTransposed = random.nextBoolean();
    Tensor left =
        matrix(areas[0], dtype, isLeftTransposed ? k : m, isLeftTransposed ? m : k, isAtEnd);
    Tensor right =
        matrix(areas[1], dtype, isRightTransposed ? n : k, isRightTransposed ? k : n, isAtEnd);
    Tensor out = matrix(areas[2], dtype, m, n, isAtEnd);
    kernel.run(
        KernelCall.checked(
            SIGNATURE,
            CallArgs.of(left, right, null, isLeftTransposed, isRightTransposed, "relu", out),
            CodeChoice.portable()));
    assertThat(out.toDoubleArray()).containsOnly(k);
  }

  /** A matrix of ones. */
  private static Tensor matrix(
      MemorySegment area, DType dtype, int rows, int columns, boolean isAtEnd) {
    long bytes = (long) rows * columns * dtype.elementByteSize();
    MemorySegment memory = area.asSlice(isAtEnd ? area.byteSize() - bytes : 0, bytes);
    for (long at = 0; at < bytes; at += dtype.elementByteSize()) {
      if (dtype.equals(DType.FLOAT32)) {
        memory.set(ValueLayout.JAVA_FLOAT, at, 1);
      } else {
        memory.set(ValueLayout.JAVA_DOUBLE, at, 1);
      }
    }
    return Tensor.wrap(memory, dtype, Shape.of(rows, columns));
  }

  /** Memory between inaccessible pages, which stays mapped. */
  @SuppressWarnings("restricted") // the signatures are those of the C library
  private static MemorySegment area() throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle map =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("mmap"),
            FunctionDescriptor.of(
                ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    MethodHandle protect =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("mprotect"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    MemorySegment all =
        (MemorySegment)
            map.invokeExact(MemorySegment.NULL, AREA + 2 * PAGE, 0, PRIVATE_ANONYMOUS, -1, 0L);
    MemorySegment inside = MemorySegment.ofAddress(all.address() + PAGE);
    assertThat((int) protect.invokeExact(inside, AREA, READ_AND_WRITE)).isZero();
    return inside.reinterpret(AREA);
  }
}
