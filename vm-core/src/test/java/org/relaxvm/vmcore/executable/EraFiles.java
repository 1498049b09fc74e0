package org.relaxvm.vmcore.executable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Files with the old magic, written straight from the format's description. */
final class EraFiles {
  /** The tags of tensor, data type, shape, string, integer and float. */
  record Tags(int tensor, int dtype, int shape, int string, int integer, int real) {
    static final Tags A = new Tags(0, 1, 2, 3, 4, 5);
    static final Tags B = new Tags(72, 5, 71, 65, 1, 3);
    static final Tags C = new Tags(70, 5, 69, 65, 1, 3);
  }

  private final ByteBuffer out = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);

  private EraFiles() {}

  /** {@code main(x)} returns x; one constant of each kind. */
  static byte[] oneConstantOfEachKind(Tags tags) {
    EraFiles file = new EraFiles();
    file.head(6);
    file.out.putInt(tags.tensor).putLong(0xDD5E40F096B4A13FL).putLong(0).putInt(1).putInt(0);
    file.out.putInt(1).put(new byte[] {2, 32, 1, 0}).putLong(2).putLong(8).putFloat(1).putFloat(2);
    file.out.putInt(tags.dtype).put(new byte[] {0, 64, 1, 0});
    file.out.putInt(tags.shape).putLong(2).putLong(3).putLong(-1);
    file.out.putInt(tags.string);
    file.string("größe");
    file.out.putInt(tags.integer).putLong(1L << 60);
    file.out.putInt(tags.real).putDouble(0.25);
    return file.code();
  }

  /** The same program without constants, which all eras write alike. */
  static byte[] withoutConstants() {
    EraFiles file = new EraFiles();
    file.head(0);
    return file.code();
  }

  private void head(long constants) {
    out.putLong(0xD225DE2F4214151DL);
    string("0.14");
    out.putLong(1).putInt(1);
    string("main");
    out.putLong(0).putLong(1).putLong(1).putLong(1).putLong(1);
    string("x");
    out.putLong(constants);
  }

  private byte[] code() {
    out.putLong(1).putLong(0).putLong(2).putLong(2).putLong(0);
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  private void string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.putLong(utf8.length).put(utf8);
  }
}
