package org.relaxvm.tir.abi;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** Reads images of kernels of the kernel IR. Stateless. */
public final class KernelText {
  /** The format of images: the text of the kernels. */
  public static final String FORMAT = "tir";

  private KernelText() {}

  /**
   * The kernels of the symbols of an image, in their order.
   *
   * @param origin for messages
   * @throws BackendException when the text is not UTF-8, or has no kernel of one of the symbols
   * @throws org.relaxvm.api.error.RelaxException when the text cannot be read, or a kernel in it
   *     breaks a rule of the kernel IR
   */
  public static List<PrimFunc> parse(ModuleImage image, String origin) {
    Map<String, PrimFunc> kernels = new HashMap<>();
    for (PrimFunc kernel : TirText.parse(text(image), origin)) {
      Verifier.verify(kernel);
      kernels.put(kernel.name(), kernel);
    }
    List<PrimFunc> found = new ArrayList<>();
    for (String symbol : image.symbols()) {
      PrimFunc kernel = kernels.get(symbol);
      if (kernel == null) {
        throw new BackendException(
            ErrorKind.VALUE,
            "the image of kernels has no kernel '"
                + symbol
                + "'\n  what there is: "
                + String.join(", ", kernels.keySet().stream().sorted().toList()));
      }
      found.add(kernel);
    }
    return found;
  }

  private static String text(ModuleImage image) {
    ByteBuffer bytes = image.bytes().asByteBuffer();
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    int start = bytes.position();
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(bytes, text, true);
    if (result.isError()) {
      throw new BackendException(
          ErrorKind.VALUE,
          "the text of an image of kernels is not UTF-8: expected a character at the offset "
              + (bytes.position() - start)
              + ", but got the byte 0x%02x".formatted(bytes.get(bytes.position())));
    }
    return text.flip().toString();
  }
}
