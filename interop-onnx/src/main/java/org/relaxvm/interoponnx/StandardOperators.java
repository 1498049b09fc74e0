package org.relaxvm.interoponnx;

import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.attention.RotaryEmbeddings;
import org.relaxvm.interoponnx.operator.attention.StandardAttention;
import org.relaxvm.interoponnx.operator.elementwise.Activations;
import org.relaxvm.interoponnx.operator.elementwise.Arithmetic;
import org.relaxvm.interoponnx.operator.elementwise.Casts;
import org.relaxvm.interoponnx.operator.elementwise.Comparisons;
import org.relaxvm.interoponnx.operator.elementwise.GatedUnits;
import org.relaxvm.interoponnx.operator.elementwise.Unary;
import org.relaxvm.interoponnx.operator.flow.Choices;
import org.relaxvm.interoponnx.operator.flow.Loops;
import org.relaxvm.interoponnx.operator.flow.ScanLoops;
import org.relaxvm.interoponnx.operator.image.Images;
import org.relaxvm.interoponnx.operator.image.Regions;
import org.relaxvm.interoponnx.operator.image.Resizes;
import org.relaxvm.interoponnx.operator.image.Samplings;
import org.relaxvm.interoponnx.operator.microsoft.MicrosoftOperators;
import org.relaxvm.interoponnx.operator.ml.MlOperators;
import org.relaxvm.interoponnx.operator.normalization.BatchNormalizations;
import org.relaxvm.interoponnx.operator.normalization.GroupNormalizations;
import org.relaxvm.interoponnx.operator.normalization.LayerNormalizations;
import org.relaxvm.interoponnx.operator.normalization.LocalNormalizations;
import org.relaxvm.interoponnx.operator.product.Determinants;
import org.relaxvm.interoponnx.operator.product.Einsums;
import org.relaxvm.interoponnx.operator.product.Products;
import org.relaxvm.interoponnx.operator.quantized.BitCasts;
import org.relaxvm.interoponnx.operator.quantized.BlockQuantization;
import org.relaxvm.interoponnx.operator.quantized.LinearQuantization;
import org.relaxvm.interoponnx.operator.quantized.QuantizedFunctions;
import org.relaxvm.interoponnx.operator.quantized.QuantizedProducts;
import org.relaxvm.interoponnx.operator.recurrent.RecurrentOperators;
import org.relaxvm.interoponnx.operator.recurrent.StateOperators;
import org.relaxvm.interoponnx.operator.reduction.AxisReductions;
import org.relaxvm.interoponnx.operator.reduction.Extremes;
import org.relaxvm.interoponnx.operator.reduction.Scans;
import org.relaxvm.interoponnx.operator.reduction.Softmaxes;
import org.relaxvm.interoponnx.operator.sequence.Optionals;
import org.relaxvm.interoponnx.operator.sequence.SequenceMaps;
import org.relaxvm.interoponnx.operator.sequence.Sequences;
import org.relaxvm.interoponnx.operator.shape.Creations;
import org.relaxvm.interoponnx.operator.shape.Expansions;
import org.relaxvm.interoponnx.operator.shape.Extensions;
import org.relaxvm.interoponnx.operator.shape.Lookups;
import org.relaxvm.interoponnx.operator.shape.Parts;
import org.relaxvm.interoponnx.operator.shape.Reshapes;
import org.relaxvm.interoponnx.operator.shape.Searches;
import org.relaxvm.interoponnx.operator.shape.Shapes;
import org.relaxvm.interoponnx.operator.signal.RandomOperators;
import org.relaxvm.interoponnx.operator.signal.SignalOperators;
import org.relaxvm.interoponnx.operator.text.StringMoves;
import org.relaxvm.interoponnx.operator.text.StringOperators;
import org.relaxvm.interoponnx.operator.text.TfIdf;
import org.relaxvm.interoponnx.operator.training.Dropouts;
import org.relaxvm.interoponnx.operator.training.Losses;
import org.relaxvm.interoponnx.operator.training.Optimizers;
import org.relaxvm.interoponnx.operator.window.AveragePools;
import org.relaxvm.interoponnx.operator.window.Convolutions;
import org.relaxvm.interoponnx.operator.window.DeformableConvolutions;
import org.relaxvm.interoponnx.operator.window.MaxPools;
import org.relaxvm.interoponnx.operator.window.TransposedConvolutions;

/**
 * All operators.
 *
 * <p>Rationale: docs/rationale/interop-onnx.md, "Why are rare operators added when one is asked
 * for?"
 */
public final class StandardOperators {
  private StandardOperators() {}

  /** The table of all operators. */
  public static OperatorTable table() {
    return common().build(() -> addRare(common()).build());
  }

  /** The operators of which most models consist. String operators extend those before them. */
  private static OperatorTable.Builder common() {
    OperatorTable.Builder table = OperatorTable.builder();
    Arithmetic.addTo(table);
    Comparisons.addTo(table);
    Unary.addTo(table);
    Activations.addTo(table);
    Casts.addTo(table);
    Shapes.addTo(table);
    Reshapes.addTo(table);
    Parts.addTo(table);
    AxisReductions.addTo(table);
    Softmaxes.addTo(table);
    LayerNormalizations.addTo(table);
    BatchNormalizations.addTo(table);
    Products.addTo(table);
    Convolutions.addTo(table);
    MaxPools.addTo(table);
    AveragePools.addTo(table);
    Dropouts.addTo(table);
    StringOperators.addTo(table);
    StringMoves.addTo(table);
    Expansions.addTo(table);
    Extensions.addTo(table);
    Creations.addTo(table);
    Lookups.addTo(table);
    return table;
  }

  private static OperatorTable.Builder addRare(OperatorTable.Builder table) {
    Extremes.addTo(table);
    Scans.addTo(table);
    GroupNormalizations.addTo(table);
    LocalNormalizations.addTo(table);
    Einsums.addTo(table);
    Determinants.addTo(table);
    TransposedConvolutions.addTo(table);
    DeformableConvolutions.addTo(table);
    Losses.addTo(table);
    Optimizers.addTo(table);
    GatedUnits.addTo(table);
    Choices.addTo(table);
    Loops.addTo(table);
    ScanLoops.addTo(table);
    SequenceMaps.addTo(table);
    Sequences.addTo(table);
    Optionals.addTo(table);
    MlOperators.addTo(table);
    TfIdf.addTo(table);
    StandardAttention.addTo(table);
    RotaryEmbeddings.addTo(table);
    StateOperators.addTo(table);
    RecurrentOperators.addTo(table);
    SignalOperators.addTo(table);
    RandomOperators.addTo(table);
    MicrosoftOperators.addTo(table);
    BitCasts.addTo(table);
    LinearQuantization.addTo(table);
    QuantizedProducts.addTo(table);
    QuantizedFunctions.addTo(table);
    BlockQuantization.addTo(table);
    Searches.addTo(table);
    Resizes.addTo(table);
    Samplings.addTo(table);
    Regions.addTo(table);
    Images.addTo(table);
    return table;
  }
}
