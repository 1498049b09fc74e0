package org.relaxvm.backendcuda.kernels;

import java.util.List;
import org.relaxvm.backendsupport.gpu.codegen.MatrixMultiplyAdd;
import org.relaxvm.backendsupport.gpu.codegen.SharedMemoryCopy;

/**
 * What threads do with shared memory by functions of {@link Prelude}: copies to it that run beside
 * their work, and GEMMs in it on tensor cores.
 *
 * <p>Rationale: docs/rationale/backend-cuda.md, "How much shared memory do GEMM slices take?"
 */
final class SharedMemory {
  /** What lines of matrices are whole numbers of. */
  private static final int CHUNK_BYTES = 16;

  private SharedMemory() {}

  /** A vector of 16 bytes at most at once: its offset is a multiple of it. */
  static List<String> loadVector(
      String type, int lanes, String array, String index, String registers) {
    return List.of(
        "{",
        "  const rv_vector<%s, %d> rv_v = *(const rv_vector<%s, %d>*)(%s + %s);"
            .formatted(type, lanes, type, lanes, array, index),
        "  #pragma unroll",
        "  for (int rv_i = 0; rv_i < %d; rv_i++) %s[rv_i] = rv_v.at[rv_i];"
            .formatted(lanes, registers),
        "}");
  }

  static List<String> beginCopy(SharedMemoryCopy copy) {
    return List.of(
        "rv_cp_async<%d>(%s + %s, %s + %s, %s);"
            .formatted(
                copy.lanes(),
                copy.to(),
                copy.toIndex(),
                copy.from(),
                copy.fromIndex(),
                copy.count().orElse(Integer.toString(copy.lanes()))));
  }

  static List<String> endCopies() {
    return List.of("rv_cp_async_commit();");
  }

  static List<String> awaitCopies(int inFlight) {
    return List.of("rv_cp_async_wait<" + inFlight + ">();");
  }

  static List<String> matrixMultiplyAdd(MatrixMultiplyAdd multiply) {
    int chunk = CHUNK_BYTES / multiply.dtype().elementByteSize();
    if (multiply.columnTiles() % 2 != 0
        || !fits(multiply.rows(), chunk)
        || !fits(multiply.columns(), chunk)) {
      return List.of();
    }
    return List.of(
        "rv_mma_%s<%d, %d, %d, %d, %d, %d>(%s, %s + %s, %s + %s);"
            .formatted(
                CudaDialect.floatName(multiply.dtype()),
                multiply.rowTiles(),
                multiply.columnTiles(),
                multiply.rows().along(),
                multiply.rows().depth(),
                multiply.columns().along(),
                multiply.columns().depth(),
                multiply.accumulators(),
                multiply.rows().array(),
                multiply.rows().index(),
                multiply.columns().array(),
                multiply.columns().index()));
  }

  /** Whether neighbours are adjacent in lines of whole 16 bytes. */
  private static boolean fits(MatrixMultiplyAdd.Operand operand, int chunk) {
    return (operand.along() == 1 && operand.depth() % chunk == 0)
        || (operand.depth() == 1 && operand.along() % chunk == 0);
  }
}
