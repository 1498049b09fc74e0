package org.relaxvm.tir.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallLinkage;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** What host functions may contain, and what only they may. */
class HostRulesTest {
  private static final String ONLY_IN_HOST =
      ", as only host functions do, whose parameters are handles";
  private static final String INSTEAD = "\n  what to do: compute in a kernel and call that";

  private final Handle r = new Handle("r");
  private final Var i = Var.index("i");
  private final CallPacked call = new CallPacked("f", List.of());

  private PrimFunc host(Stmt body) {
    return new PrimFunc("h", List.of(new Param.OfHandle(r)), DType.VOID, body, Map.of());
  }

  private static PrimFunc kernel(Stmt body) {
    return new PrimFunc("h", List.of(), DType.VOID, body, Map.of());
  }

  private static void refused(PrimFunc function, String problem) {
    assertThatThrownBy(() -> Verifier.verify(function))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the kernel h is not valid: " + problem);
  }

  private static void notInHost(PrimFunc function, String what) {
    refused(
        function,
        "it takes handles, so it is a host function, which cannot contain " + what + INSTEAD);
  }

  private CallPacked storing(Handle list) {
    return new CallPacked(
        "f", List.of(), CallLinkage.PACKED, Optional.of(new AnyListItem(list, 0)));
  }

  private static CallPacked with(PackedArg arg) {
    return new CallPacked("f", List.of(arg));
  }

  @Test
  void callsChoicesAndLoopsAreValid() {
    Var isTrue = new Var("b", DType.BOOL);
    Stmt body =
        For.serial(
            i,
            IntImm.of(3),
            new Seq(
                List.of(
                    storing(r),
                    new LetCall(isTrue, call, with(new PackedArg.OfScalar(isTrue))),
                    with(new PackedArg.OfNull()),
                    with(new PackedArg.OfHandle(r)),
                    LoopJump.BREAK)));
    assertThat(Verifier.verify(host(body)).accesses()).isEmpty();
  }

  @Test
  void whatComputesIsRefused() {
    Buffer a = Buffer.of("A", DType.FLOAT32, List.of(IntImm.of(1)));
    notInHost(
        host(new BufferStore(a, new FloatImm(DType.FLOAT32, 1), List.of(IntImm.of(0)))), "a store");
    notInHost(host(with(new PackedArg.OfBuffer(a))), "a buffer");
    notInHost(host(new Let(i, IntImm.of(1), call)), "a let statement of a number");
    notInHost(host(new Return(IntImm.of(1))), "return");
    notInHost(
        host(
            new For(
                i, IntImm.of(0), IntImm.of(2), ForKind.PARALLEL, Optional.empty(), call, Map.of())),
        "a concurrent loop");
    notInHost(
        host(For.serial(i, IntImm.of(2), with(new PackedArg.OfScalar(Exprs.mul(i, i))))),
        "the expression " + Exprs.mul(i, i));
    refused(
        new PrimFunc(
            "h", List.of(new Param.OfHandle(r), new Param.OfScalar(i)), DType.VOID, call, Map.of()),
        "it takes handles, so that i must be a handle, too");
  }

  @Test
  void jumpsBelongToLoopsAndEndTheirStatements() {
    refused(host(LoopJump.CONTINUE), "continue is outside of any loop");
    refused(
        host(For.serial(i, IntImm.of(2), new Seq(List.of(LoopJump.BREAK, call)))),
        "there are statements after break");
  }

  @Test
  void handlesAreParameters() {
    Handle other = new Handle("other");
    String problem = "it uses the handle other, which is no parameter";
    refused(host(storing(other)), problem);
    refused(host(with(new PackedArg.OfHandle(other))), problem);
    refused(host(with(new PackedArg.OfItem(new AnyListItem(other, 0)))), problem);
  }

  @Test
  void variablesAreUsedWhereTheyAreDefined() {
    Var isTrue = new Var("b", DType.BOOL);
    Stmt outside = with(new PackedArg.OfScalar(isTrue));
    refused(
        host(new Seq(List.of(new LetCall(isTrue, call, call), outside))),
        "the variable b is used where it is not defined\n  what is defined there: nothing");
  }

  @Test
  void kernelsHaveNothingOfHostFunctions() {
    refused(kernel(storing(r)), "it writes a cell of the list r" + ONLY_IN_HOST);
    refused(
        kernel(new LetCall(new Var("b", DType.BOOL), call, call)),
        "it uses the result of f" + ONLY_IN_HOST);
    refused(
        kernel(For.serial(i, IntImm.of(2), LoopJump.BREAK)),
        "it has the statement break" + ONLY_IN_HOST);
    refused(kernel(with(new PackedArg.OfNull())), "it passes None" + ONLY_IN_HOST);
    refused(
        kernel(new CallPacked("f", List.of(), CallLinkage.CPACKED, Optional.empty())),
        "it calls the kernel f" + ONLY_IN_HOST);
    refused(kernel(with(new PackedArg.OfHandle(r))), "it uses the handle r, which is no parameter");
  }

  @Test
  void resultsOfCallsAreOfThreeDtypesAndInOnePosition() {
    assertThatThrownBy(() -> new LetCall(new Var("b", DType.INT32), call, call))
        .hasMessage(
            "the variable b gets the result of f and must be bool, int64 or float64, but is int32");
    assertThatThrownBy(() -> new LetCall(new Var("b", DType.BOOL), storing(r), call))
        .hasMessage("the result of f is the variable b and also goes into a list");
    assertThatThrownBy(() -> new AnyListItem(r, -1))
        .hasMessage("the cell -1 of the list r is below 0");
  }
}
