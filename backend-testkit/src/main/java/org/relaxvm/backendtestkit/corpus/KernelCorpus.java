package org.relaxvm.backendtestkit.corpus;

import java.util.List;

/**
 * The kernels: written by hand for what the kernel IR has, and one of each operator for each dtype
 * with symbolic extents, and for some with constant ones. The evaluator says what they give.
 */
public final class KernelCorpus {
  private KernelCorpus() {}

  /** All kernels, each with another name; made anew. */
  public static List<KernelCase> kernels() {
    CaseList list = new CaseList();
    WrittenCases.addTo(list);
    ElementwiseCases.addTo(list);
    MovementCases.addTo(list);
    IndexMapCases.addTo(list);
    LookupCases.addTo(list);
    NeuralCases.addTo(list);
    AttentionCases.addTo(list);
    return list.cases();
  }
}
