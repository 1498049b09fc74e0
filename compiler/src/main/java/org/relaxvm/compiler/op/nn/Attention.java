package org.relaxvm.compiler.op.nn;

import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.tir.op.AttentionOps;

/**
 * Attention of queries {@code [b, sq, n, d]} to keys {@code [b, sk, nk, d]} with values {@code [b,
 * sk, nk, dv]}: {@code [b, sq, n, dv]}. {@code n} is a multiple of {@code nk}; a bias is broadcast
 * to {@code [b, n, sq, sk]}. Floats of one dtype.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.8 and 3.3.
 */
public final class Attention {
  /** {@code (query, key, value[, bias])}. */
  public static final OpDef ATTENTION =
      OpDef.named("nn.attention")
          .args("query", "key", "value")
          .optionalArgs("bias")
          .with(Attention::attrs)
          .rule(call -> AttentionRule.type(call, call.size()))
          .legalizer(Attention::kernel)
          .build();

  /** {@code (query, key, value, bias)}, as text of other compilers has it. */
  public static final OpDef ATTENTION_BIAS =
      OpDef.named("nn.attention_bias")
          .args("query", "key", "value", "bias")
          .with(Attention::attrs)
          .rule(call -> AttentionRule.type(call, 4))
          .legalizer(Attention::kernel)
          .build();

  /**
   * Attention of sequences of several lengths that follow each other: {@code (query, key, value,
   * seqstart_q, seqstart_k, max_seqlen_q, max_seqlen_k)}. No kernel computes it: it is there for
   * libraries.
   */
  public static final OpDef ATTENTION_VAR_LEN =
      OpDef.named("nn.attention_var_len")
          .args("query", "key", "value", "seqstart_q", "seqstart_k", "max_seqlen_q", "max_seqlen_k")
          .with(Attention::attrs)
          .rule(call -> AttentionRule.type(call, 3))
          .build();

  private Attention() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(ATTENTION, ATTENTION_BIAS, ATTENTION_VAR_LEN);
  }

  private static OpDef.Builder attrs(OpDef.Builder builder) {
    return builder.attrs(
        AttrSpec.optional("scale", Kind.REAL),
        AttrSpec.optional("causal_mask", Kind.TEXT),
        AttrSpec.optional("window_size", Kind.INTEGER));
  }

  private static Expr kernel(OpCall call, KernelCalls kernels) {
    Attrs attrs = call.attrs();
    return kernels.call(
        "attention",
        call,
        KernelBody.one(
            (k, inputs) ->
                AttentionOps.attention(
                    k,
                    "attention",
                    inputs.tensor(0),
                    inputs.tensor(1),
                    inputs.tensor(2),
                    call.size() > 3 ? inputs.tensor(3) : null,
                    attrs.real("scale").orElse(null),
                    CausalMasks.of(call),
                    attrs.integer("window_size").orElse(null))));
  }

  /** {@code softmax(q @ k^T / sqrt(d)) @ v} for each batch and head. */
  public static Call attention(Expr query, Expr key, Expr value) {
    return attention(List.of(query, key, value), Attrs.NONE);
  }

  /** {@code softmax(q @ k^T / sqrt(d) + bias) @ v} for each batch and head. */
  public static Call attention(Expr query, Expr key, Expr value, Expr bias) {
    return attention(List.of(query, key, value, bias), Attrs.NONE);
  }

  /**
   * Attention with attributes.
   *
   * @param tensors query, key, value and perhaps a bias
   * @param attrs those of {@code scale} (where it is not {@code 1 / sqrt(d)}), {@code causal_mask}
   *     ({@code TopLeft} or {@code BottomRight}) and {@code window_size} that are not to be absent
   */
  public static Call attention(List<? extends Expr> tensors, Attrs attrs) {
    return Call.of(ATTENTION, tensors, attrs);
  }
}
