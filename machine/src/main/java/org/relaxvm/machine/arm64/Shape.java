package org.relaxvm.machine.arm64;

/**
 * The sizes that the operands of an instruction state. The first operand of a kind decides; others
 * have to agree.
 *
 * @param gpBits of general-purpose registers: 32 or 64; 0 where there is none
 * @param floatBits of floating-point scalars: 16, 32 or 64; 0 where there is none
 * @param elementBytes of elements of vectors, "T" of the form; 0 where there is none
 * @param bytes of vectors: 8 or 16; 0 where there is none
 */
record Shape(int gpBits, int floatBits, int elementBytes, int bytes) {

  /** The sizes that operands of the kinds of a form state. */
  static Shape of(Form form, Operand[] operands) {
    int gpBits = 0;
    int floatBits = 0;
    int elementBytes = 0;
    int bytes = 0;
    for (int i = 0; i < operands.length; i++) {
      Slot slot = form.slots().get(i);
      if (slot instanceof GpSlot) {
        gpBits = first(gpBits, ((Gp) operands[i]).bits());
      } else if (slot instanceof ScalarSlot scalar) {
        int bits = ((Scalar) operands[i]).bits();
        if (scalar.size() == ScalarSlot.Size.FLOAT) {
          floatBits = first(floatBits, bits);
        } else if (scalar.size() == ScalarSlot.Size.ELEMENT) {
          elementBytes = first(elementBytes, bits / 8);
        }
      } else if (slot instanceof VectorSlot vector) {
        Arrangement lanes = ((Vector) operands[i]).arrangement();
        elementBytes = first(elementBytes, vector.elementBytesOfForm(lanes));
        bytes = first(bytes, vector.statesLength() ? lanes.bytes() : 0);
      } else if (slot instanceof ElementSlot element && element.kind() == null) {
        elementBytes = first(elementBytes, ((Element) operands[i]).kind().bytes());
      } else if (operands[i] instanceof ElementList list) {
        elementBytes = list.kind().bytes();
      } else if (slot instanceof ListSlot list && list.kind() == ListSlot.Kind.VECTORS) {
        Arrangement lanes = ((VectorList) operands[i]).arrangement();
        elementBytes = lanes.elementBytes();
        bytes = lanes.bytes();
      }
    }
    return new Shape(gpBits, floatBits, elementBytes, bytes);
  }

  private static int first(int earlier, int later) {
    return earlier == 0 ? later : earlier;
  }
}
