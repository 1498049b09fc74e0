package org.relaxvm.compiler.op.nn;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.tir.op.AttentionOps.CausalMask;

/** Masks of attention by the texts of the attribute. */
final class CausalMasks {
  private CausalMasks() {}

  /** The mask that the attribute says; none where it is absent. */
  static CausalMask of(OpCall call) {
    Optional<String> text = call.attrs().text("causal_mask");
    if (text.isEmpty()) {
      return CausalMask.NONE;
    }
    return Arrays.stream(CausalMask.values())
        .filter(mask -> mask != CausalMask.NONE && mask.text().equals(text.get()))
        .findFirst()
        .orElseThrow(
            () ->
                call.error(
                    "causal_mask must be "
                        + Arrays.stream(CausalMask.values())
                            .filter(mask -> mask != CausalMask.NONE)
                            .map(mask -> "\"" + mask.text() + "\"")
                            .collect(Collectors.joining(" or "))
                        + ", or absent, but is \""
                        + text.get()
                        + "\""));
  }
}
