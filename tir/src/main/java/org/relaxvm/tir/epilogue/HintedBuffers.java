package org.relaxvm.tir.epilogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.op.LibraryArg;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.rewrite.IrVisitor;

/** The buffers of a kernel that its {@link LibraryHint} names. */
public final class HintedBuffers {
  private HintedBuffers() {}

  /**
   * The buffer that the function of a kernel's hint writes, which is its last argument: a parameter
   * or memory of the kernel's own. Empty without a hint, and where several have that name.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the hint cannot be read
   */
  public static Optional<Buffer> product(PrimFunc kernel) {
    return LibraryHint.of(kernel)
        .filter(hint -> !hint.args().isEmpty())
        .flatMap(
            hint ->
                hint.args().getLast() instanceof LibraryArg.OfParam(String output)
                    ? named(kernel, output)
                    : Optional.empty());
  }

  /** The place of a buffer among the parameters; negative when none has this name, or several. */
  public static int place(PrimFunc kernel, String name) {
    return named(kernel, name)
        .map(buffer -> kernel.params().indexOf(new Param.OfBuffer(buffer)))
        .orElse(-1);
  }

  /** The one buffer of a name. */
  private static Optional<Buffer> named(PrimFunc kernel, String name) {
    List<Buffer> found = new ArrayList<>();
    new IrVisitor() {
      @Override
      public void visitBufferDefinition(Buffer buffer) {
        if (buffer.name().equals(name)) {
          found.add(buffer);
        }
      }
    }.visit(kernel);
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }
}
