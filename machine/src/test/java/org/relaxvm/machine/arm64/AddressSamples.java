package org.relaxvm.machine.arm64;

import java.util.ArrayList;
import java.util.List;

/** Addresses that fit a slot: limits of offsets, all extensions, the stack pointer. */
final class AddressSamples {
  private AddressSamples() {}

  static List<Operand> of(MemorySlot slot) {
    int size = slot.size();
    Gp base = Gp.x(7);
    return switch (slot.mode()) {
      case BASE -> List.of(Address.of(base), Address.of(Gp.SP));
      case UNSIGNED ->
          List.of(
              Address.of(base),
              Address.of(Gp.SP, size),
              Address.of(Gp.x(30), 4095 * size),
              Address.of(Gp.x(0), 256 * size));
      case SIGNED ->
          List.of(Address.of(base, -1), Address.of(Gp.SP, -256), Address.of(Gp.x(30), -8));
      case SIGNED_PRE ->
          List.of(Address.pre(base, 0), Address.pre(Gp.SP, -256), Address.pre(Gp.x(29), 255));
      case SIGNED_POST ->
          List.of(Address.post(base, 0), Address.post(Gp.SP, -256), Address.post(Gp.x(29), 255));
      case PAIR ->
          List.of(Address.of(base), Address.of(Gp.SP, -64 * size), Address.of(Gp.x(29), 63 * size));
      case PAIR_PRE ->
          List.of(
              Address.pre(base, 0), Address.pre(Gp.SP, -64 * size), Address.pre(base, 63 * size));
      case PAIR_POST ->
          List.of(
              Address.post(base, 0),
              Address.post(Gp.SP, -64 * size),
              Address.post(base, 63 * size));
      case INDEX -> indices(size);
      // The increment is the size of the list, which is set when that is known.
      case POST_LIST, POST_ELEMENTS -> List.of(Address.post(base, 0), Address.post(Gp.SP, 0));
      case POST_REGISTER -> List.of(Address.post(base, Gp.x(0)), Address.post(Gp.SP, Gp.x(30)));
    };
  }

  private static List<Operand> indices(int size) {
    List<Operand> addresses = new ArrayList<>();
    addresses.add(Address.of(Gp.x(7), Gp.x(8)));
    addresses.add(Address.of(Gp.SP, Gp.XZR));
    int log2 = Integer.numberOfTrailingZeros(size);
    for (Modifier.Kind kind :
        List.of(Modifier.Kind.LSL, Modifier.Kind.SXTX, Modifier.Kind.UXTW, Modifier.Kind.SXTW)) {
      int bits = kind == Modifier.Kind.LSL || kind == Modifier.Kind.SXTX ? 64 : 32;
      addresses.add(Address.of(Gp.SP, new Gp(30, bits, false), Modifier.of(kind, log2)));
      if (kind != Modifier.Kind.LSL) {
        addresses.add(Address.of(Gp.x(9), new Gp(31, bits, false), Modifier.of(kind, 0)));
      }
    }
    return addresses;
  }
}
