package org.relaxvm.interoprelay.release.verify;

import java.util.List;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocDatatype;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocStorage;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetField;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Invoke;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokeClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.KillRegister;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConst;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConsti;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ShapeOf;
import org.relaxvm.interoprelay.release.listing.ReleasedListing;

/**
 * The rules for one instruction.
 *
 * @param executable the program
 * @param function the instruction's function
 * @param pc index of the instruction
 */
record InstructionCheck(ReleasedExecutable executable, ReleasedFunction function, int pc) {
  void check() {
    switch (instruction()) {
      case Move(int src, int dst) -> registers(src, dst);
      case Ret(int src) -> registers(src);
      case Invoke(int callee, int dst, List<Integer> args) -> {
        registers(dst);
        registers(args);
        int params = function(callee).paramNames().size();
        if (args.size() != params) {
          throw refused("wrong number of arguments", params, args.size());
        }
      }
      case InvokeClosure(int closure, int dst, List<Integer> args) -> {
        registers(closure, dst);
        registers(args);
      }
      case InvokePacked(int packed, int outputs, List<Integer> args) -> {
        index("packed function", packed, executable.packed().size());
        registers(args);
        if (outputs < 0 || outputs > args.size()) {
          throw refused("more outputs than arguments", "at most " + args.size(), outputs);
        }
      }
      case AllocTensor at -> {
        registers(at.storage(), at.dst());
        offset(at.offset());
      }
      case AllocTensorReg at -> {
        registers(at.storage(), at.shape(), at.dst());
        offset(at.offset());
      }
      case AllocDatatype(long _, int dst, List<Integer> fields) -> {
        registers(dst);
        registers(fields);
      }
      case AllocClosure(int callee, int dst, List<Integer> free) -> {
        registers(dst);
        registers(free);
        int params = function(callee).paramNames().size();
        if (free.size() > params) {
          throw refused("more bound values than parameters", "at most " + params, free.size());
        }
      }
      case GetField(int src, int _, int dst) -> registers(src, dst);
      case If(int test, int target, int ifTrue, int ifFalse) -> {
        registers(test, target);
        jump(ifTrue);
        jump(ifFalse);
      }
      case LoadConst(int constant, int device, int dst) -> {
        registers(dst);
        index("constant", constant, executable.constants().size());
        if (executable.era() == Era.R4) {
          device(device);
        }
      }
      case Goto(int offset) -> jump(offset);
      case GetTag(int src, int dst) -> registers(src, dst);
      case LoadConsti(long _, int dst) -> registers(dst);
      case Fatal() -> {}
      case AllocStorage at -> {
        registers(at.size(), at.dst());
        if (executable.era() == Era.R1) {
          index("register", at.alignment(), function.registerFileSize());
        } else {
          device(at.device());
        }
      }
      case ShapeOf(int src, int dst) -> registers(src, dst);
      case ReshapeTensor(int src, int shape, int dst) -> registers(src, shape, dst);
      case DeviceCopy(int src, int from, int to, int dst) -> {
        registers(src, dst);
        device(from);
        device(to);
      }
      case KillRegister(int register) -> registers(register);
    }
    boolean goesOn =
        switch (instruction()) {
          case Ret _, Goto _, If _, Fatal _ -> false;
          default -> true;
        };
    if (goesOn && pc == function.code().size() - 1) {
      throw refused("control leaves the function at its end", "ret, goto, if or fatal", text());
    }
  }

  private ReleasedInstruction instruction() {
    return function.code().get(pc);
  }

  private String text() {
    return ReleasedListing.text(instruction(), executable.era());
  }

  private void registers(int... registers) {
    for (int register : registers) {
      index("register", register, function.registerFileSize());
    }
  }

  private void registers(List<Integer> registers) {
    for (int register : registers) {
      index("register", register, function.registerFileSize());
    }
  }

  private void offset(int register) {
    if (executable.era() != Era.R1) {
      registers(register);
    }
  }

  private ReleasedFunction function(int callee) {
    index("function", callee, executable.functions().size());
    return executable.functions().get(callee);
  }

  private void device(int device) {
    ReleasedVerifier.requireDevice(executable, where(), device);
  }

  private void jump(int offset) {
    long target = (long) pc + offset;
    if (offset == 0 || target < 0 || target >= function.code().size()) {
      throw refused(
          "a jump goes nowhere",
          "an offset other than 0 from " + -pc + " to " + (function.code().size() - 1 - pc),
          offset);
    }
  }

  private void index(String what, long index, int count) {
    if (index < 0 || index >= count) {
      throw refused("there is no such " + what, "an index below " + count, index);
    }
  }

  private String where() {
    return "function '" + function.name() + "', instruction " + pc + ": " + text();
  }

  private InvalidProgramException refused(String problem, Object expected, Object got) {
    return ReleasedVerifier.refused(where(), problem, expected.toString(), got.toString());
  }
}
