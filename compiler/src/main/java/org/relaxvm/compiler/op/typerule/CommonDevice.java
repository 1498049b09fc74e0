package org.relaxvm.compiler.op.typerule;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.VDevice;

/** Where tensors lie. */
public final class CommonDevice {
  private CommonDevice() {}

  /**
   * The device that operands have in common; empty when none of them says one.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when two are different
   */
  public static Optional<VDevice> same(OpCall call, List<Operand> operands) {
    Operand known = null;
    for (Operand operand : operands) {
      if (operand.type().vdevice().isEmpty()) {
        continue;
      }
      if (known == null) {
        known = operand;
      } else if (!operand.type().vdevice().equals(known.type().vdevice())) {
        throw call.typeError(
            "expected one virtual device, but "
                + text(known)
                + " and "
                + text(operand)
                + "; use to_vdevice");
      }
    }
    return known == null ? Optional.empty() : known.type().vdevice();
  }

  private static String text(Operand operand) {
    return operand.name() + " lies in " + operand.type().vdevice().orElseThrow();
  }
}
