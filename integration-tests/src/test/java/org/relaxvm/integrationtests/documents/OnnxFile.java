package org.relaxvm.integrationtests.documents;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes small ONNX models, message by message. */
final class OnnxFile {
  static final int FLOAT = 1;
  static final int INT64 = 7;
  static final int STRING = 8;
  private static final int OPSET = 13;

  private final Message graph = new Message().text(2, "test");

  /** A message of protocol buffers: numbers and nested bytes by their field numbers. */
  private static final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Message number(int field, long value) {
      varint((long) field << 3);
      varint(value);
      return this;
    }

    private Message bytes(int field, byte[] value) {
      varint(((long) field << 3) | 2);
      varint(value.length);
      bytes.writeBytes(value);
      return this;
    }

    private Message text(int field, String value) {
      return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private Message message(int field, Message value) {
      return bytes(field, value.bytes.toByteArray());
    }

    private void varint(long value) {
      long left = value;
      for (; left >>> 7 != 0; left >>>= 7) {
        bytes.write((int) ((left & 0x7F) | 0x80));
      }
      bytes.write((int) left);
    }
  }

  /** Adds an input; dims are names of symbolic extents, or numbers. */
  OnnxFile input(String name, int elementType, Object... dims) {
    graph.message(11, valueInfo(name, elementType, dims));
    return this;
  }

  /** Adds an output. */
  OnnxFile output(String name, int elementType, Object... dims) {
    graph.message(12, valueInfo(name, elementType, dims));
    return this;
  }

  private static Message valueInfo(String name, int elementType, Object... dims) {
    Message shape = new Message();
    for (Object dim : dims) {
      Message extent = new Message();
      shape.message(
          1,
          dim instanceof Integer number ? extent.number(1, number) : extent.text(2, (String) dim));
    }
    Message tensor = new Message().number(1, elementType).message(2, shape);
    return new Message().text(1, name).message(2, new Message().message(1, tensor));
  }

  /** Adds a float32 matrix. */
  OnnxFile matrix(String name, int rows, int columns, float... values) {
    ByteBuffer raw =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    raw.asFloatBuffer().put(values);
    graph.message(
        5,
        new Message()
            .number(1, rows)
            .number(1, columns)
            .number(2, FLOAT)
            .text(8, name)
            .bytes(9, raw.array()));
    return this;
  }

  /** Adds a node of {@code ai.onnx} without attributes. */
  OnnxFile node(String operator, List<String> inputs, List<String> outputs) {
    Message node = new Message();
    inputs.forEach(input -> node.text(1, input));
    outputs.forEach(output -> node.text(2, output));
    graph.message(1, node.text(4, operator));
    return this;
  }

  /** Writes the model. */
  Path write(Path file) {
    Message opset = new Message().text(1, "").number(2, OPSET);
    Message model = new Message().number(1, 8).message(7, graph).message(8, opset);
    try {
      return Files.write(file, model.bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
