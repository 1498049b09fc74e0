package org.relaxvm.tir.library;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;

/**
 * A function of the kernel library that is computed by kernels. A kernel serves all calls of the
 * same dtypes, ranks and attributes whose extents are equal where they were in the first one, but
 * for extents that it has as constants, such as the channels of a convolution.
 *
 * <p>Immutable and thread-safe.
 */
public final class LibraryFormula {
  private static final String PREFIX = "relaxvm.";

  private final KernelSignature signature;
  private final Formula formula;

  private LibraryFormula(KernelSignature signature, Formula formula) {
    this.signature = signature;
    this.formula = formula;
  }

  /** All functions that have a formula, by name, in the order of the table. */
  public static Map<String, LibraryFormula> all() {
    Map<String, Formula> formulas = new HashMap<>();
    ElementwiseFormulas.addTo(formulas);
    FunctionFormulas.addTo(formulas);
    MatmulFormulas.addTo(formulas);
    NeuralFormulas.addTo(formulas);
    ReductionFormulas.addTo(formulas);
    MovementFormulas.addTo(formulas);
    LayoutFormulas.addTo(formulas);
    IndexingFormulas.addTo(formulas);
    OrderingFormulas.addTo(formulas);
    Map<String, LibraryFormula> all = new LinkedHashMap<>();
    for (KernelSignature signature : KernelLibrary.standard().signatures()) {
      Formula formula = formulas.get(signature.name().substring(PREFIX.length()));
      if (formula != null) {
        all.put(signature.name(), new LibraryFormula(signature, formula));
      }
    }
    return all;
  }

  /** The function. */
  public KernelSignature signature() {
    return signature;
  }

  /**
   * The kernel that a call needs.
   *
   * @param call of this function
   * @param general whether kernels serve as many calls as they can, instead of being fast
   */
  public KernelRequest request(LibraryCall call, boolean general) {
    return new KernelRequest(formula, call, general);
  }
}
