package org.relaxvm.interoponnx.operator.microsoft;

import static org.relaxvm.interoponnx.convert.OperatorTable.MICROSOFT;

import java.util.List;
import java.util.Map;
import org.relaxvm.interoponnx.convert.OperatorTable;

/** Operators that are known and not supported, with the reason. */
final class Refused {
  private static final Map<String, List<String>> REASONS =
      Map.ofEntries(
          Map.entry("experts are not supported", List.of("MoE", "QMoE")),
          Map.entry(
              "search loops over a decoder are not supported: run the decoder from the"
                  + " application",
              List.of("BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch")),
          Map.entry(
              "paged caches are not supported: export the model with GroupQueryAttention",
              List.of("PagedAttention")),
          Map.entry(
              "it holds a program of one accelerator: use the model that it was made from",
              List.of("EPContext")),
          Map.entry(
              "batches without padding are not supported: export the model without"
                  + " packed inputs",
              List.of(
                  "PackedAttention",
                  "PackedMultiHeadAttention",
                  "RemovePadding",
                  "RestorePadding")),
          Map.entry(
              "layouts of one accelerator are not supported: use the model before it was"
                  + " optimised for CUDA",
              List.of(
                  "QOrderedAttention",
                  "QOrderedGelu",
                  "QOrderedLayerNormalization",
                  "QOrderedLongformerAttention",
                  "QOrderedMatMul",
                  "QuantizeWithOrder",
                  "DequantizeWithOrder")),
          Map.entry(
              "attention of windows and global tokens is not supported",
              List.of("LongformerAttention", "SparseAttention")),
          Map.entry(
              "attention with cached projections is not supported: export the model with"
                  + " MultiHeadAttention",
              List.of("DecoderAttention", "DecoderMaskedSelfAttention")));

  private Refused() {}

  static void addTo(OperatorTable.Builder table) {
    REASONS.forEach(
        (reason, names) -> names.forEach(name -> table.refuse(MICROSOFT, name, reason)));
  }
}
