package org.relaxvm.interoprelay.release;

import static org.relaxvm.interoprelay.release.ReleasedInstruction.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** Builds the code of a function of an era: fresh registers, labels, allocation of tensors. */
public final class Code {
  /** A position in the code that jumps refer to. */
  public static final class Label {
    private int position = NONE;
  }

  private record Jump(int at, Label target, Label other) {}

  private final Era era;
  private final int params;
  private final List<ReleasedInstruction> code = new ArrayList<>();
  private final List<Jump> jumps = new ArrayList<>();
  private int next;

  /** An empty function. */
  public Code(Era era, int params) {
    this.era = era;
    this.params = params;
    this.next = params;
  }

  /** A register that nothing uses yet. */
  public int fresh() {
    return next++;
  }

  /** Adds an instruction. */
  public Code add(ReleasedInstruction instruction) {
    code.add(instruction);
    return this;
  }

  /** A number in a new register. */
  public int number(long value) {
    int dst = fresh();
    add(new ReleasedInstruction.LoadConsti(value, dst));
    return dst;
  }

  /** A new block of memory; {@code size} is a register. */
  public int storage(int size, DType dtype) {
    long alignment = era == Era.R1 ? number(64) : 64;
    int dst = fresh();
    add(
        new ReleasedInstruction.AllocStorage(
            size, alignment, dtype, device(), Shape.scalar(), dst));
    return dst;
  }

  /** A new tensor. */
  public int tensor(DType dtype, Shape shape) {
    int storage = storage(number(dtype.byteSize(shape.elementCount())), dtype);
    int offset = era == Era.R1 ? NONE : number(0);
    int dst = fresh();
    add(new ReleasedInstruction.AllocTensor(storage, offset, dtype, shape, dst));
    return dst;
  }

  /** A new tensor with the result of a kernel. */
  public int kernel(int packed, DType dtype, Shape shape, int... inputs) {
    int out = tensor(dtype, shape);
    List<Integer> args = new ArrayList<>(IntStream.of(inputs).boxed().toList());
    args.add(out);
    add(new ReleasedInstruction.InvokePacked(packed, 1, args));
    return out;
  }

  /** A constant in a new register. */
  public int constant(int index) {
    int dst = fresh();
    add(new ReleasedInstruction.LoadConst(index, era == Era.R4 ? 0 : NONE, dst));
    return dst;
  }

  /** The device that everything is on. */
  public int device() {
    return switch (era) {
      case R1 -> NONE;
      case R2 -> 1;
      case R3, R4 -> 0;
    };
  }

  /** Puts a label at the next instruction. */
  public Code at(Label label) {
    label.position = code.size();
    return this;
  }

  /** Goes to one of two labels. */
  public Code ifEqual(int test, int target, Label equal, Label other) {
    jumps.add(new Jump(code.size(), equal, other));
    return add(new ReleasedInstruction.If(test, target, 1, 1));
  }

  /** Goes to a label. */
  public Code goTo(Label label) {
    jumps.add(new Jump(code.size(), label, label));
    return add(new ReleasedInstruction.Goto(1));
  }

  /** The function. */
  public ReleasedFunction build(String name) {
    List<ReleasedInstruction> done = new ArrayList<>(code);
    for (Jump jump : jumps) {
      int at = jump.at();
      done.set(
          at,
          switch (code.get(at)) {
            case ReleasedInstruction.If(int test, int target, int _, int _) ->
                new ReleasedInstruction.If(
                    test, target, jump.target().position - at, jump.other().position - at);
            default -> new ReleasedInstruction.Goto(jump.target().position - at);
          });
    }
    List<String> names = IntStream.range(0, params).mapToObj(i -> "p" + i).toList();
    List<Integer> devices =
        era == Era.R1 ? List.of() : IntStream.range(0, params).mapToObj(_ -> device()).toList();
    return new ReleasedFunction(name, names, devices, next, done);
  }
}
