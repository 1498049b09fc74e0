package org.relaxvm.interoponnx.operator.image;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.text.Texts;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;

/** Images in files, which the decoders of Java read: bmp, gif, jpeg, png, tiff and wbmp. */
public final class Images {
  private Images() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("ImageDecoder", 20, Images::decode);
  }

  /** The height and the width are read at run time. */
  private static List<Operand> decode(NodeContext node) {
    String format = node.attributes().string("pixel_format", "RGB");
    if (!List.of("RGB", "BGR", "Grayscale").contains(format)) {
      throw node.unsupported(
          "the pixel format is '" + format + "'; expected RGB, BGR or Grayscale", "");
    }
    int channels = format.equals("Grayscale") ? 1 : 3;
    return List.of(
        Texts.tensor(
            node,
            "relaxvm.host.decode_image",
            List.of(node.tensor(0), new StringImm(format)),
            DType.UINT8,
            List.of(node.symbol("height"), node.symbol("width"), IntImm.of(channels))));
  }
}
