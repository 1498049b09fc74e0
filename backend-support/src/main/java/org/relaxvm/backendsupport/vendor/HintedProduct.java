package org.relaxvm.backendsupport.vendor;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.LibraryArg;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;

/**
 * A kernel that says of itself that it is a product of matrices and nothing else.
 *
 * @param a place of the parameter
 * @param b place of the parameter
 * @param out place of the parameter
 */
public record HintedProduct(int a, boolean turnedA, int b, boolean turnedB, int out) {
  /** The function of the kernel library, of the arguments that {@link #of} reads. */
  public static final String FUNCTION = "relaxvm.matmul";

  private static final LibraryArg NONE = new LibraryArg.OfNull();
  private static final LibraryArg NO_ACTIVATION = new LibraryArg.OfText("none");

  /**
   * The product that a kernel is; empty when its {@linkplain LibraryHint hint} names none, or the
   * kernel does more.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the hint cannot be read
   */
  public static Optional<HintedProduct> of(PrimFunc kernel) {
    return LibraryHint.of(kernel)
        .filter(hint -> hint.function().equals(FUNCTION) && hint.args().size() == 7)
        .map(LibraryHint::args)
        .filter(args -> args.get(2).equals(NONE) && args.get(5).equals(NO_ACTIVATION))
        .flatMap(args -> of(kernel, args));
  }

  private static Optional<HintedProduct> of(PrimFunc kernel, List<LibraryArg> args) {
    int a = place(kernel, args.get(0));
    int b = place(kernel, args.get(1));
    int out = place(kernel, args.get(6));
    boolean whole =
        kernel.params().size() == 3 && a >= 0 && b >= 0 && out >= 0 && out != a && out != b;
    if (!whole || a == b || !isMadeOnce(kernel, out)) {
      return Optional.empty();
    }
    boolean turnedA = args.get(3).equals(new LibraryArg.OfBoolean(true));
    boolean turnedB = args.get(4).equals(new LibraryArg.OfBoolean(true));
    return Optional.of(new HintedProduct(a, turnedA, b, turnedB, out));
  }

  /** The place of a parameter whose elements lie row by row; negative when there is none. */
  private static int place(PrimFunc kernel, LibraryArg arg) {
    for (int i = 0; i < kernel.params().size(); i++) {
      if (arg instanceof LibraryArg.OfParam(String name)
          && kernel.params().get(i) instanceof Param.OfBuffer(Buffer buffer)
          && buffer.name().equals(name)
          && buffer.strides().isEmpty()
          && buffer.elemOffset().equals(IntImm.of(0))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isMadeOnce(PrimFunc kernel, int out) {
    Buffer written = ((Param.OfBuffer) kernel.params().get(out)).buffer();
    int[] writers = new int[1];
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        if (block.writes().stream().anyMatch(region -> region.buffer().equals(written))) {
          writers[0]++;
        }
        super.visit(block);
      }
    }.visit(kernel);
    return writers[0] == 1;
  }

  /** The tensors of a call, by the places of parameters. */
  public Factors factors(@Nullable Tensor[] tensors) {
    return new Factors(
        Objects.requireNonNull(tensors[a]),
        turnedA,
        Objects.requireNonNull(tensors[b]),
        turnedB,
        Objects.requireNonNull(tensors[out]));
  }
}
