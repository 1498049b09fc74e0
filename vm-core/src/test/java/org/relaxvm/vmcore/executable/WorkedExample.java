package org.relaxvm.vmcore.executable;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The file of docs/spec/executable-format.md, section 8: {@code main(x)} calls {@code f(x, -1, (2,
 * 3))}.
 */
public final class WorkedExample {
  private static final String HEX =
      "1e1514422fde25d20400000000000000302e3134020000000000000001000000040000"
          + "00000000006d61696e0000000000000000020000000000000001000000000000000200"
          + "0000000000000100000000000000010000000000000078000000000100000000000000"
          + "6600000000000000000000000000000000feffffffffffffff00000000000000000000"
          + "0000000000000000000000000000020000000000000045000000020000000000000002"
          + "000000000000000300000000000000460000003fa1b496f0405edd0000000000000000"
          + "0100000000000000010000000220010001000000000000000400000000000000000080"
          + "3f02000000000000000000000000000000070000000000000009000000000000000100"
          + "0000000000000100000000000000010000000000000003000000000000000000000000"
          + "000000ffffffffffffff01000000000000000202000000000000000100000000000000";

  private static final int SCOPES_AT = 0x92;

  private WorkedExample() {}

  /** The 350 bytes of era D. */
  public static byte[] bytes() {
    return HexFormat.of().parseHex(HEX);
  }

  /** The same program with the old magic and without memory scopes. */
  public static byte[] oldMagicBytes() {
    byte[] all = bytes();
    byte[] old = Arrays.copyOf(all, all.length - 8);
    old[0] = 0x1D;
    System.arraycopy(all, SCOPES_AT + 8, old, SCOPES_AT, old.length - SCOPES_AT);
    return old;
  }
}
