package org.relaxvm.interoprelay.release.file;

import static org.relaxvm.interoprelay.release.ReleasedInstruction.NONE;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.interoprelay.release.Era;
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
import org.relaxvm.vmcore.binary.ByteCursor;

/** Reads instructions. Source: docs/spec/relay-register-vm.md, section 15.2. */
final class InstructionParse {
  /** Hash and opcode. */
  private static final int HEAD = 2;

  private final ByteCursor in;
  private final Era era;

  InstructionParse(ByteCursor in, Era era) {
    this.in = in;
    this.era = era;
  }

  ReleasedInstruction read() {
    int count = in.count("number of words", Long.BYTES);
    long start = in.position();
    long[] words = in.longs(count, "words");
    WordCursor fields = new WordCursor(in, start, words);
    long hash = fields.word("hash");
    long number = fields.word("opcode");
    int known = Opcode.count(era);
    if (number < 0 || number >= known) {
      throw fields.fail(
          1, "opcode", "0 to " + (known - 1) + " in era " + era, Long.toString(number));
    }
    long computed = InstructionHash.of(words);
    if (hash != computed) {
      throw fields.fail(0, "hash", hex(computed) + ", computed from the words", hex(hash));
    }
    ReleasedInstruction instruction = instruction(Opcode.values()[(int) number], fields);
    fields.end();
    return instruction;
  }

  private ReleasedInstruction instruction(Opcode opcode, WordCursor in) {
    return switch (opcode) {
      case MOVE -> new Move(in.index("source"), in.index("destination"));
      case RET -> new Ret(in.index("register"));
      case INVOKE -> {
        int function = in.index("function");
        int count = in.count("number of arguments");
        int dst = in.index("destination");
        yield new Invoke(function, dst, in.indices(count, "argument"));
      }
      case INVOKE_CLOSURE -> {
        int closure = in.index("closure");
        int count = in.count("number of arguments");
        int dst = in.index("destination");
        yield new InvokeClosure(closure, dst, in.indices(count, "argument"));
      }
      case INVOKE_PACKED -> invokePacked(in);
      case ALLOC_TENSOR -> allocTensor(in);
      case ALLOC_TENSOR_REG -> {
        int storage = in.index("storage");
        int offset = era == Era.R1 ? NONE : in.index("offset");
        int shape = in.index("shape");
        DType dtype = in.dtype();
        yield new AllocTensorReg(storage, offset, shape, dtype, in.index("destination"));
      }
      case ALLOC_DATATYPE -> {
        long tag = in.word("tag");
        int count = in.count("number of fields");
        int dst = in.index("destination");
        yield new AllocDatatype(tag, dst, in.indices(count, "field"));
      }
      case ALLOC_CLOSURE -> {
        int function = in.index("function");
        int count = in.count("number of bound values");
        int dst = in.index("destination");
        yield new AllocClosure(function, dst, in.indices(count, "bound value"));
      }
      case GET_FIELD ->
          new GetField(in.index("object"), in.index("field index"), in.index("destination"));
      case IF ->
          new If(
              in.index("test"),
              in.index("target"),
              in.signed("true offset"),
              in.signed("false offset"));
      case LOAD_CONST -> {
        int constant = in.index("constant");
        int device = era == Era.R4 ? in.index("device") : NONE;
        yield new LoadConst(constant, device, in.index("destination"));
      }
      case GOTO -> new Goto(in.signed("offset"));
      case GET_TAG -> new GetTag(in.index("object"), in.index("destination"));
      case LOAD_CONSTI -> new LoadConsti(in.word("value"), in.index("destination"));
      case FATAL -> new Fatal();
      case ALLOC_STORAGE -> allocStorage(in);
      case SHAPE_OF -> new ShapeOf(in.index("tensor"), in.index("destination"));
      case RESHAPE_TENSOR ->
          new ReshapeTensor(in.index("tensor"), in.index("shape"), in.index("destination"));
      case DEVICE_COPY ->
          new DeviceCopy(
              in.index("source"),
              in.index("source device"),
              in.index("destination device"),
              in.index("destination"));
      case KILL_REGISTER -> new KillRegister(in.index("register"));
    };
  }

  private static InvokePacked invokePacked(WordCursor in) {
    int packed = in.index("packed function");
    int arity = in.count("number of arguments");
    int outputs = in.count("number of outputs");
    if (outputs > arity) {
      throw in.fail(HEAD + 2, "number of outputs", "at most " + arity, Integer.toString(outputs));
    }
    return new InvokePacked(packed, outputs, in.indices(arity, "argument"));
  }

  private AllocTensor allocTensor(WordCursor in) {
    int storage = in.index("storage");
    int offset = era == Era.R1 ? NONE : in.index("offset");
    DType dtype = in.dtype();
    int rank = in.count("rank");
    int dst = in.index("destination");
    return new AllocTensor(storage, offset, dtype, in.shape(rank), dst);
  }

  private AllocStorage allocStorage(WordCursor in) {
    int size = in.index("size");
    long alignment = in.index("alignment");
    DType dtype = in.dtype();
    int device = era == Era.R1 ? NONE : in.index("device");
    int rank = era == Era.R4 ? in.count("rank") : 0;
    int dst = in.index("destination");
    Shape shape = in.shape(rank);
    return new AllocStorage(size, alignment, dtype, device, shape, dst);
  }

  private static String hex(long word) {
    return "0x" + Long.toHexString(word);
  }

  /** The fewest bytes of an instruction: its length, hash and opcode. */
  static int leastBytes() {
    return (1 + HEAD) * Long.BYTES;
  }

  /** Reads a known number of instructions. */
  List<ReleasedInstruction> readAll(int count) {
    ReleasedInstruction[] code = new ReleasedInstruction[count];
    for (int i = 0; i < count; i++) {
      in.item("instruction", i, count);
      code[i] = read();
    }
    return List.of(code);
  }
}
