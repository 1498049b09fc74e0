package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.OPTIONAL_NUMBER;
import static org.relaxvm.api.kernels.ArgumentRole.STRING;
import static org.relaxvm.api.kernels.DTypeSet.FLOATS;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.List;

/** Table rows: attention. */
final class AttentionKernels {
  private AttentionKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(attention());
  }

  private static KernelSignature attention() {
    return new KernelSignature(
        "relaxvm.attention",
        1,
        List.of(
            input("q", FLOATS, "[b, sq, n, d]", ""),
            input("k", FLOATS, "[b, sk, nk, d]", "`nk` divides `n`").like("q"),
            input("v", FLOATS, "[b, sk, nk, dv]", "").like("q"),
            input("bias", FLOATS, "broadcast to `[b, n, sq, sk]`", "added to the scores")
                .like("q")
                .optional(),
            attribute("scale", OPTIONAL_NUMBER, "", "null means `1 / sqrt(d)`"),
            attribute("causal_mask", STRING, "", "`none`, `TopLeft` or `BottomRight`"),
            output(FLOATS, "[b, sq, n, dv]", "").like("q")),
        Aliasing.FORBIDDEN,
        "`softmax(q @ k^T * scale + bias) @ v` for each batch and head. Head `h` of `q` reads head"
            + " `h / (n / nk)` of `k` and `v`. A causal mask leaves the keys `j <= i + offset` to"
            + " query `i`: the offset is 0 for `TopLeft` and `|sq - sk|` for `BottomRight`. Where"
            + " all scores are -inf the result is NaN; where there is no key it is 0. float16 and"
            + " bfloat16 are computed in float32; the order of summation is not specified.");
  }
}
