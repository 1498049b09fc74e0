package org.relaxvm.backendcpu.host;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Generates the class of a host function: its choices and loops are those of the JVM, each call is
 * one of {@link HostRun}. Long sequences are split into methods that the JVM still compiles.
 */
final class HostClass {
  /** How many calls a method has at most, unless one statement has more. */
  private static final int CALLS_PER_METHOD = 400;

  private static final ClassDesc SELF =
      ClassDesc.of("org.relaxvm.backendcpu.host.GeneratedHostBody");
  private static final ClassDesc SUPER = ClassDesc.of("org.relaxvm.backendcpu.host.HostBody");
  private static final ClassDesc RUN = ClassDesc.of("org.relaxvm.backendcpu.host.HostRun");
  private static final MethodTypeDesc BODY = type(ConstantDescs.CD_void, RUN);

  private final HostCalls host;
  private final ArrayDeque<Part> open = new ArrayDeque<>();
  private int parts;

  /** Statements that are a method of their own. */
  private record Part(String name, List<Stmt> statements) {}

  /** Where the jumps of a loop lead. */
  private record Exits(Label onContinue, Label onBreak) {}

  private HostClass(HostCalls host) {
    this.host = host;
  }

  static HostBody generate(PrimFunc function, HostCalls host) {
    HostClass generator = new HostClass(host);
    byte[] bytes =
        ClassFile.of().build(SELF, type -> generator.emit(type, statements(function.body())));
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
      return (HostBody) lookup.lookupClass().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("generated code cannot be loaded: " + e.getMessage(), e);
    }
  }

  private static MethodTypeDesc type(ClassDesc result, ClassDesc... params) {
    return MethodTypeDesc.of(result, params);
  }

  private static List<Stmt> statements(Stmt stmt) {
    return stmt instanceof Seq(List<Stmt> statements) ? statements : List.of(stmt);
  }

  private void emit(ClassBuilder type, List<Stmt> body) {
    type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
    type.withSuperclass(SUPER);
    type.withMethodBody(
        ConstantDescs.INIT_NAME,
        ConstantDescs.MTD_void,
        ClassFile.ACC_PUBLIC,
        code ->
            code.aload(0)
                .invokespecial(SUPER, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                .return_());
    type.withMethodBody(
        "run",
        BODY,
        ClassFile.ACC_PUBLIC,
        code -> code.aload(1).invokestatic(SELF, part(body).name(), BODY).return_());
    while (!open.isEmpty()) {
      Part next = open.removeFirst();
      type.withMethodBody(
          next.name(),
          BODY,
          ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
          code -> {
            emit(code, next.statements(), null);
            code.return_();
          });
    }
  }

  private Part part(List<Stmt> statements) {
    Part part = new Part("part" + parts++, List.copyOf(statements));
    open.addLast(part);
    return part;
  }

  private void emit(CodeBuilder code, List<Stmt> statements, @Nullable Exits exits) {
    int calls = statements.stream().mapToInt(HostClass::calls).sum();
    if (calls <= CALLS_PER_METHOD) {
      statements.forEach(stmt -> emit(code, stmt, exits));
      return;
    }
    List<Stmt> group = new ArrayList<>();
    int inGroup = 0;
    for (Stmt stmt : statements) {
      int more = calls(stmt);
      boolean isAlone = more > CALLS_PER_METHOD || jumps(stmt);
      if (isAlone || inGroup + more > CALLS_PER_METHOD) {
        call(code, group);
        inGroup = 0;
      }
      if (isAlone) {
        emit(code, stmt, exits);
      } else {
        group.add(stmt);
        inGroup += more;
      }
    }
    call(code, group);
  }

  private void call(CodeBuilder code, List<Stmt> group) {
    if (!group.isEmpty()) {
      code.aload(0).invokestatic(SELF, part(group).name(), BODY);
      group.clear();
    }
  }

  /** How many calls there are in a statement. */
  private static int calls(Stmt stmt) {
    return switch (stmt) {
      case Seq(List<Stmt> inner) -> inner.stream().mapToInt(HostClass::calls).sum();
      case IfThenElse choice ->
          1 + calls(choice.whenTrue()) + choice.whenFalse().map(HostClass::calls).orElse(0);
      case LetCall let -> 1 + calls(let.body());
      case For loop -> 1 + calls(loop.body());
      default -> 1;
    };
  }

  /** Whether a statement may leave a loop around it. */
  private static boolean jumps(Stmt stmt) {
    return switch (stmt) {
      case LoopJump jump -> true;
      case Seq(List<Stmt> inner) -> inner.stream().anyMatch(HostClass::jumps);
      case IfThenElse choice ->
          jumps(choice.whenTrue()) || choice.whenFalse().map(HostClass::jumps).orElse(false);
      case LetCall let -> jumps(let.body());
      default -> false;
    };
  }

  private void emit(CodeBuilder code, Stmt stmt, @Nullable Exits exits) {
    switch (stmt) {
      case Seq(List<Stmt> statements) -> emit(code, statements, exits);
      case CallPacked call -> emit(code, host.number(call));
      case LetCall let -> {
        emit(code, let);
        emit(code, statements(let.body()), exits);
      }
      case IfThenElse choice -> emit(code, choice, exits);
      case For loop -> emit(code, loop);
      case LoopJump jump when exits != null ->
          code.goto_(jump == LoopJump.BREAK ? exits.onBreak() : exits.onContinue());
      default -> throw new IllegalStateException("not in a host function: " + stmt);
    }
  }

  private static void emit(CodeBuilder code, int call) {
    code.aload(0);
    if (call < HostRun.PAGE) {
      code.loadConstant(call);
      code.invokevirtual(RUN, "call", type(ConstantDescs.CD_void, ConstantDescs.CD_int));
    } else {
      code.loadConstant(call / HostRun.PAGE).loadConstant(call % HostRun.PAGE);
      code.invokevirtual(
          RUN, "call", type(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_int));
    }
  }

  private void emit(CodeBuilder code, LetCall let) {
    DType dtype = let.var().dtype();
    String method = dtype.equals(DType.BOOL) ? "letBool" : dtype.isFloat() ? "letFloat" : "letInt";
    code.aload(0).loadConstant(host.number(let.call())).loadConstant(host.operand(let.var()));
    code.invokevirtual(
        RUN, method, type(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_int));
  }

  private void emit(CodeBuilder code, IfThenElse choice, @Nullable Exits exits) {
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    code.aload(0).loadConstant(host.operand(choice.condition()));
    code.invokevirtual(RUN, "test", type(ConstantDescs.CD_boolean, ConstantDescs.CD_int));
    code.ifeq(otherwise);
    emit(code, statements(choice.whenTrue()), exits);
    code.goto_(end);
    code.labelBinding(otherwise);
    choice.whenFalse().ifPresent(stmt -> emit(code, statements(stmt), exits));
    code.labelBinding(end);
  }

  private void emit(CodeBuilder code, For loop) {
    Label again = code.newLabel();
    Label next = code.newLabel();
    Label end = code.newLabel();
    int counter = host.operand((PrimExpr) loop.loopVar());
    int min = host.operand(loop.min());
    int extent = host.operand(loop.extent());
    code.aload(0).loadConstant(counter).loadConstant(min);
    code.invokevirtual(
        RUN, "start", type(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_int));
    code.labelBinding(again);
    code.aload(0).loadConstant(counter).loadConstant(min).loadConstant(extent);
    code.invokevirtual(
        RUN,
        "goesOn",
        type(
            ConstantDescs.CD_boolean,
            ConstantDescs.CD_int,
            ConstantDescs.CD_int,
            ConstantDescs.CD_int));
    code.ifeq(end);
    emit(code, statements(loop.body()), new Exits(next, end));
    code.labelBinding(next);
    code.aload(0).loadConstant(counter);
    code.invokevirtual(RUN, "next", type(ConstantDescs.CD_void, ConstantDescs.CD_int));
    code.goto_(again);
    code.labelBinding(end);
  }
}
