package org.relaxvm.objects.graph;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes bytes as a text of JSON in base64, piece by piece. Slashes are escaped, as everywhere. */
final class Base64Text extends OutputStream {
  private static final int PIECE = 3 << 14;

  private final JsonGenerator json;
  private final byte[] piece = new byte[PIECE];
  private int count;

  Base64Text(JsonGenerator json) throws IOException {
    this.json = json;
    json.writeRawValue("\"");
  }

  @Override
  public void write(int b) throws IOException {
    piece[count++] = (byte) b;
    if (count == PIECE) {
      encode();
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int end = offset + length;
    while (from < end) {
      int part = Math.min(end - from, PIECE - count);
      System.arraycopy(bytes, from, piece, count, part);
      from += part;
      count += part;
      if (count == PIECE) {
        encode();
      }
    }
  }

  private void encode() throws IOException {
    byte[] bytes = count == PIECE ? piece : java.util.Arrays.copyOf(piece, count);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.write(Base64.getEncoder().encode(bytes));
    json.writeRaw(text.toString(StandardCharsets.ISO_8859_1).replace("/", "\\/"));
    count = 0;
  }

  @Override
  public void close() throws IOException {
    encode();
    json.writeRaw('"');
  }
}
