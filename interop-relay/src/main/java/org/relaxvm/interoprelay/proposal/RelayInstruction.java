package org.relaxvm.interoprelay.proposal;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/**
 * An instruction of the Relay register VM: the thirteen of its proposal, and those that programs
 * need besides them ({@link Extension}).
 *
 * <p>Registers are numbers from 0; in a function each has one definition. A register holds a
 * reference: no instruction copies data. Offsets are relative to the jumping instruction.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 2. Immutable.
 */
public sealed interface RelayInstruction {
  /** An instruction that the proposal lacks and real programs need. */
  sealed interface Extension extends RelayInstruction {}

  /** {@code dst} = a new tensor on the main device, uninitialized. */
  record AllocTensor(int dst, Shape shape, DType dtype) implements RelayInstruction {}

  /** {@code dst} = a datatype with a tag; a tuple has tag 0. */
  record AllocDatatype(int dst, long tag, List<Integer> fields) implements RelayInstruction {
    /** Copies the list. */
    public AllocDatatype {
      fields = List.copyOf(fields);
    }
  }

  /** {@code dst} = a closure of a function whose first parameters are bound. */
  record AllocClosure(int dst, int function, List<Integer> free) implements RelayInstruction {
    /** Copies the list. */
    public AllocClosure {
      free = List.copyOf(free);
    }
  }

  /** {@code dst} = a constant, by reference. */
  record LoadConst(int dst, int constant) implements RelayInstruction {}

  /** {@code dst} = {@code src}, by reference. */
  record Mov(int dst, int src) implements RelayInstruction {}

  /** {@code dst} = the one of two registers that was defined on the executed path. */
  record Phi(int dst, int first, int second) implements RelayInstruction {}

  /** Leaves the function with {@code src}. */
  record Ret(int src) implements RelayInstruction {}

  /** {@code dst} = a field of a datatype, counted from 0. */
  record GetField(int dst, int src, int index) implements RelayInstruction {}

  /** Goes on at one of two offsets: the first when the condition is not 0. */
  record If(int condition, int ifTrue, int ifFalse) implements RelayInstruction {}

  /** Goes on at an offset. */
  record Goto(int offset) implements RelayInstruction {}

  /** Calls a packed function, which fills the outputs (destination passing). */
  record InvokePacked(int packed, List<Integer> inputs, List<Integer> outputs)
      implements RelayInstruction {
    /** Copies the lists. */
    public InvokePacked {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }
  }

  /** {@code dst} = the result of a function of the module. */
  record Invoke(int dst, int function, List<Integer> args) implements RelayInstruction {
    /** Copies the list. */
    public Invoke {
      args = List.copyOf(args);
    }
  }

  /** {@code dst} = the result of a closure; its bound values come before the arguments. */
  record InvokeClosure(int dst, int closure, List<Integer> args) implements RelayInstruction {
    /** Copies the list. */
    public InvokeClosure {
      args = List.copyOf(args);
    }
  }

  /** {@code dst} = the tag of a datatype, an integer. */
  record GetTag(int dst, int src) implements Extension {}

  /** As {@link If}, on an integer register being equal to an immediate. */
  record IfEq(int src, long value, int ifTrue, int ifFalse) implements Extension {}

  /** {@code dst} = an integer. */
  record LoadConsti(int dst, long value) implements Extension {}

  /** Fails: no arm of a match fits. */
  record Fatal() implements Extension {}

  /** {@code dst} = a new tensor whose shape is in a register: a shape or a 1-D integer tensor. */
  record AllocTensorReg(int dst, int shape, DType dtype) implements Extension {}

  /** {@code dst} = the shape of a tensor. */
  record ShapeOf(int dst, int src) implements Extension {}

  /** {@code dst} = a view of a tensor with another shape. */
  record ReshapeTensor(int dst, int src, int shape) implements Extension {}

  /** {@code dst} = a tensor on another device, by DLPack's device type and number. */
  record DeviceCopy(int dst, int src, int deviceType, int deviceId) implements Extension {}

  /** Empties a register, so that memory is released early. */
  record Kill(int register) implements Extension {}

  /** {@code dst} = the result of a packed function that returns one. */
  record CallPacked(int dst, int packed, List<Integer> args) implements Extension {
    /** Copies the list. */
    public CallPacked {
      args = List.copyOf(args);
    }
  }

  /** Calls a function in the frame of this one and leaves with its result. */
  record TailInvoke(int function, List<Integer> args) implements Extension {
    /** Copies the list. */
    public TailInvoke {
      args = List.copyOf(args);
    }
  }
}
