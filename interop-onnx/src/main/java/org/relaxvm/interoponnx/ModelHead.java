package org.relaxvm.interoponnx;

import java.util.Optional;
import org.relaxvm.vmcore.program.FileHead;

/**
 * Tells ONNX models by their first bytes: the fields of a model, with their wire types, among them
 * {@code ir_version} or {@code opset_import}, or a graph that fills what is left of the head.
 */
final class ModelHead {
  private static final int VARINT = 0;
  private static final int BYTES = 2;
  private static final int IR_VERSION = 1;
  private static final int GRAPH = 7;
  private static final int OPSET_IMPORT = 8;

  private static final String TEXT_MARK = "ir_version:";
  private static final String ORT_MARK = "ORTM";

  private final FileHead head;
  private int at;

  private ModelHead(FileHead head) {
    this.head = head;
  }

  static boolean isModel(FileHead head) {
    return new ModelHead(head).scan();
  }

  /** What is to be said of a model in another form than protocol buffers; empty for others. */
  static Optional<String> otherForm(FileHead head) {
    if (head.text().stripLeading().startsWith(TEXT_MARK)) {
      return Optional.of(
          " is an ONNX model as text\n  what to do: convert it with onnx.parser or protoc");
    }
    return head.hasTextAt(4, ORT_MARK)
        ? Optional.of(
            " is in ONNX Runtime's own format\n  what to do: use the .onnx file that it was made"
                + " from")
        : Optional.empty();
  }

  private boolean scan() {
    boolean isMarked = false;
    while (at < head.size()) {
      long tag = varint();
      if (tag < 0 || !isField((int) (tag >>> 3), (int) tag & 7)) {
        return false;
      }
      int field = (int) (tag >>> 3);
      isMarked |= field == IR_VERSION || field == OPSET_IMPORT;
      long value = varint();
      if (value < 0) {
        return false;
      }
      if ((tag & 7) == BYTES) {
        if (value > head.size() - at) {
          // The field goes on after the head.
          return head.size() == FileHead.LIMIT && (isMarked || (field == GRAPH && beginsGraph()));
        }
        at += (int) value;
      }
    }
    return isMarked;
  }

  /** Whether a graph begins with a field of a graph. */
  private boolean beginsGraph() {
    int tag = head.at(at);
    int field = tag >>> 3;
    return (tag & 7) == BYTES && (field <= 2 || field == 5 || (field >= 10 && field <= 16));
  }

  private static boolean isField(int field, int wireType) {
    return switch (field) {
      case IR_VERSION, 5 -> wireType == VARINT;
      case 2, 3, 4, 6, GRAPH, OPSET_IMPORT, 14, 20, 25, 26 -> wireType == BYTES;
      default -> false;
    };
  }

  /** A number, or -1 at the end of the head. */
  private long varint() {
    long result = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
      int b = head.at(at);
      if (b < 0) {
        return -1;
      }
      at++;
      result |= (long) (b & 0x7F) << shift;
      if ((b & 0x80) == 0) {
        return result;
      }
    }
    return -1;
  }
}
