package org.relaxvm.interoprelay.release;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/**
 * An instruction of the Relay VM that Apache TVM 0.6 to 0.19 contained. Registers may be assigned
 * many times. Offsets are relative to the jumping instruction. {@link #NONE} stands for a field
 * that the file's era does not have.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.2. Immutable.
 */
public sealed interface ReleasedInstruction {
  /** The value of a field that files of an era lack. */
  int NONE = -1;

  /** {@code dst} = {@code src}, by reference. */
  record Move(int src, int dst) implements ReleasedInstruction {}

  /** Leaves the function. */
  record Ret(int src) implements ReleasedInstruction {}

  /** {@code dst} = the result of a function of the executable. */
  record Invoke(int function, int dst, List<Integer> args) implements ReleasedInstruction {
    /** Copies the list. */
    public Invoke {
      args = List.copyOf(args);
    }
  }

  /** {@code dst} = the result of a closure; its bound values come before the arguments. */
  record InvokeClosure(int closure, int dst, List<Integer> args) implements ReleasedInstruction {
    /** Copies the list. */
    public InvokeClosure {
      args = List.copyOf(args);
    }
  }

  /**
   * Calls a kernel. The last {@code outputs} of {@code args} are filled by it. Datatypes among the
   * arguments are replaced by their fields.
   */
  record InvokePacked(int packed, int outputs, List<Integer> args) implements ReleasedInstruction {
    /** Copies the list. */
    public InvokePacked {
      args = List.copyOf(args);
    }
  }

  /** {@code dst} = a tensor in a storage; {@code offset} is a register or {@link #NONE}. */
  record AllocTensor(int storage, int offset, DType dtype, Shape shape, int dst)
      implements ReleasedInstruction {}

  /** As {@link AllocTensor}; {@code shape} is a register with an integer tensor. */
  record AllocTensorReg(int storage, int offset, int shape, DType dtype, int dst)
      implements ReleasedInstruction {}

  /** {@code dst} = a datatype; a tuple has tag 0. */
  record AllocDatatype(long tag, int dst, List<Integer> fields) implements ReleasedInstruction {
    /** Copies the list. */
    public AllocDatatype {
      fields = List.copyOf(fields);
    }
  }

  /** {@code dst} = a closure of a function whose first parameters are bound. */
  record AllocClosure(int function, int dst, List<Integer> free) implements ReleasedInstruction {
    /** Copies the list. */
    public AllocClosure {
      free = List.copyOf(free);
    }
  }

  /** {@code dst} = a field of a datatype. */
  record GetField(int src, int index, int dst) implements ReleasedInstruction {}

  /** Goes on at {@code ifTrue} when two scalar registers are equal, else at {@code ifFalse}. */
  record If(int test, int target, int ifTrue, int ifFalse) implements ReleasedInstruction {}

  /** {@code dst} = a constant; {@code device} is an index or {@link #NONE}. */
  record LoadConst(int constant, int device, int dst) implements ReleasedInstruction {}

  /** Goes on at an offset. */
  record Goto(int offset) implements ReleasedInstruction {}

  /** {@code dst} = the tag of a datatype: a new int32 tensor of shape [1] on the host. */
  record GetTag(int src, int dst) implements ReleasedInstruction {}

  /** {@code dst} = a number: a new int64 tensor of shape [1] on the host. */
  record LoadConsti(long value, int dst) implements ReleasedInstruction {}

  /** Fails. */
  record Fatal() implements ReleasedInstruction {}

  /**
   * {@code dst} = a block of memory.
   *
   * @param size the register that holds the bytes; ignored where {@code shape} has extents
   * @param alignment in bytes; the register that holds it in files of era R1
   * @param device an index into the device table; a device type in era R2, {@link #NONE} in R1
   * @param shape of rank 0 unless the memory is allocated by shape and memory scope (R4)
   */
  record AllocStorage(int size, long alignment, DType dtype, int device, Shape shape, int dst)
      implements ReleasedInstruction {}

  /** {@code dst} = the shape of a tensor: a 1-D int64 tensor on the host. */
  record ShapeOf(int src, int dst) implements ReleasedInstruction {}

  /** {@code dst} = a view with the shape that an int64 tensor holds. */
  record ReshapeTensor(int src, int shape, int dst) implements ReleasedInstruction {}

  /** {@code dst} = a copy on another device; device types in era R2, else indices. */
  record DeviceCopy(int src, int fromDevice, int toDevice, int dst)
      implements ReleasedInstruction {}

  /** Empties a register. */
  record KillRegister(int register) implements ReleasedInstruction {}
}
