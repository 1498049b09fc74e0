package org.relaxvm.vmcore.tier;

import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.tier.FunctionFlow.Block;

/**
 * Compiles bytecode functions to hidden classes, which are unloaded with whatever refers to them.
 * Stateless; safe for concurrent use.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does the compiled tier leave calls to the
 * interpreter?"
 */
final class FunctionCompiler {
  /** HotSpot compiles no method of 8,000 bytes or more. */
  private static final int LARGEST_METHOD = 7999;

  /**
   * Two blocks of instructions: HotSpot inlines less into longer methods.
   *
   * <p>Rationale: docs/rationale/vm-core.md, "Why does HotSpot decide how functions are divided?"
   */
  private static final int FIRST_ESTIMATE = 2400;

  private static final int SMALLEST_ESTIMATE = 300;

  /** The constants of so many chunks are few enough for one initializer. */
  private static final int CHUNKS_OF_A_CLASS = 20;

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final ClassDesc NAME =
      ClassDesc.of(LOOKUP.lookupClass().getPackageName(), "Function");
  private static final ClassDesc SUPERCLASS = CompiledCode.class.describeConstable().orElseThrow();

  private FunctionCompiler() {}

  /**
   * Where compiled code of a function begins.
   *
   * @param position of the instruction
   * @param entry what to run there
   */
  record Compiled(int position, CompiledEntry entry) {}

  /**
   * Compiles a function.
   *
   * @return its entries; empty when it is too large, or nothing in it can be compiled
   */
  static List<Compiled> compile(DecodedProgram program, DecodedFunction function) {
    Optional<FunctionFlow> flow = FunctionFlow.of(program, function);
    if (flow.isEmpty()) {
      return List.of();
    }
    int[] code = program.code();
    int[] starts = flow.get().blocks().stream().mapToInt(Block::start).toArray();
    for (int bytes = FIRST_ESTIMATE; bytes >= SMALLEST_ESTIMATE; bytes /= 2) {
      List<Chunk> chunks = Chunk.of(flow.get(), code, bytes);
      Optional<List<Compiled>> compiled = compile(program, chunks, starts);
      if (compiled.isPresent()) {
        return compiled.get();
      }
    }
    return List.of();
  }

  /** Empty when a method is too large. */
  private static Optional<List<Compiled>> compile(
      DecodedProgram program, List<Chunk> chunks, int[] starts) {
    List<Compiled> entries = new ArrayList<>();
    for (int from = 0; from < chunks.size(); from += CHUNKS_OF_A_CLASS) {
      List<Chunk> some = chunks.subList(from, Math.min(chunks.size(), from + CHUNKS_OF_A_CLASS));
      ClassConstants constants = new ClassConstants(NAME);
      byte[] bytes = write(program, some, constants);
      if (largestMethod(bytes) > LARGEST_METHOD) {
        return Optional.empty();
      }
      CompiledCode made = define(bytes, constants);
      int number = 0;
      for (Chunk chunk : some) {
        for (Block entry : chunk.entries()) {
          entries.add(new Compiled(entry.start(), new CompiledEntry(made, number++, starts)));
        }
      }
    }
    return Optional.of(entries);
  }

  /** The bytes of the largest method, but for the initializer, which runs once. */
  private static int largestMethod(byte[] bytes) {
    int largest = 0;
    for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
      if (!method.methodName().equalsString(CLASS_INIT_NAME)) {
        largest =
            Math.max(
                largest, method.code().map(code -> ((CodeAttribute) code).codeLength()).orElse(0));
      }
    }
    return largest;
  }

  private static CompiledCode define(byte[] bytes, ClassConstants constants) {
    try {
      MethodHandles.Lookup made =
          LOOKUP.defineHiddenClassWithClassData(bytes, constants.data(), true);
      return (CompiledCode)
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a compiled function could not be loaded", e);
    }
  }

  private static byte[] write(
      DecodedProgram program, List<Chunk> chunks, ClassConstants constants) {
    return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
        .build(
            NAME,
            c -> {
              c.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER).withSuperclass(SUPERCLASS);
              c.withMethodBody(
                  INIT_NAME,
                  MTD_void,
                  0,
                  b -> b.aload(0).invokespecial(SUPERCLASS, INIT_NAME, MTD_void).return_());
              c.withMethodBody(
                  "run", ChunkWriter.METHOD, ClassFile.ACC_PUBLIC, b -> dispatch(b, chunks));
              int first = 0;
              for (int i = 0; i < chunks.size(); i++) {
                Chunk chunk = chunks.get(i);
                int firstEntry = first;
                first += chunk.entries().size();
                c.withMethodBody(
                    method(i),
                    ChunkWriter.METHOD,
                    ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
                    b -> new ChunkWriter(b, chunk, program, constants).write(firstEntry));
              }
              constants.declare(c);
            });
  }

  private static String method(int chunk) {
    return "chunk" + chunk;
  }

  /** Calls the chunk of an entry. */
  private static void dispatch(CodeBuilder b, List<Chunk> chunks) {
    if (chunks.size() == 1) {
      callChunk(b, 0);
      return;
    }
    List<VerificationTypeInfo> locals = new ArrayList<>(ChunkWriter.LOCALS);
    locals.addFirst(ObjectVerificationTypeInfo.of(NAME));
    List<SwitchCase> cases = new ArrayList<>();
    List<Label> labels = new ArrayList<>();
    int entry = 0;
    for (Chunk chunk : chunks) {
      Label label = b.newLabel();
      labels.add(label);
      for (int i = 0; i < chunk.entries().size(); i++) {
        cases.add(SwitchCase.of(entry++, label));
      }
    }
    b.iload(5).tableswitch(0, entry - 1, labels.getLast(), cases);
    for (int i = 0; i < chunks.size(); i++) {
      b.labelBinding(labels.get(i));
      callChunk(b, i);
    }
    b.with(
        StackMapTableAttribute.of(
            labels.stream().map(label -> StackMapFrameInfo.of(label, locals, List.of())).toList()));
  }

  private static void callChunk(CodeBuilder b, int chunk) {
    b.aload(1).aload(2).aload(3).iload(4).iload(5);
    b.invokestatic(NAME, method(chunk), ChunkWriter.METHOD).ireturn();
  }
}
