package org.relaxvm.compiler.pass.fold;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.rewrite.ExprVisitor;
import org.relaxvm.compiler.rewrite.UseCounts;
import org.relaxvm.tir.expr.FloatImm;

/**
 * Finds products with scales and shifts of channels after them, binding by binding. Each form is
 * extended by the only user of its variable in the same block.
 */
final class AffineForms extends ExprVisitor {
  private final UseCounts uses;
  private final Map<RelaxVar, AffineForm> found = new IdentityHashMap<>();
  private Map<RelaxVar, AffineForm> open = new IdentityHashMap<>();

  private AffineForms(UseCounts uses) {
    this.uses = uses;
  }

  /** The longest forms, by the variables that hold their values. */
  static Map<RelaxVar, AffineForm> in(RelaxFunction function) {
    AffineForms forms = new AffineForms(UseCounts.in(function));
    forms.visit(function);
    forms.found.values().removeIf(form -> !form.isWorthIt());
    return forms.found;
  }

  @Override
  public void visit(BindingBlock block) {
    Map<RelaxVar, AffineForm> outer = open;
    open = new IdentityHashMap<>();
    super.visit(block);
    open = outer;
  }

  @Override
  public void visit(Binding binding) {
    super.visit(binding);
    if (binding instanceof VarBinding(RelaxVar var, Call call)) {
      ChannelProduct.of(call)
          .map(AffineForm::of)
          .or(() -> extended(call))
          .ifPresent(
              form -> {
                open.put(var, form);
                found.put(var, form);
              });
    }
  }

  private Optional<AffineForm> extended(Call call) {
    if (call.args().size() != 2) {
      return Optional.empty();
    }
    Expr a = call.args().get(0);
    Expr b = call.args().get(1);
    return extended(call, a, b, false).or(() -> extended(call, b, a, true));
  }

  /**
   * @param isSwapped whether the form is the second operand
   */
  private Optional<AffineForm> extended(Call call, Expr value, Expr other, boolean isSwapped) {
    if (!(value instanceof RelaxVar var) || uses.of(var) != 1) {
      return Optional.empty();
    }
    AffineForm form = open.get(var);
    if (form == null) {
      return Optional.empty();
    }
    Optional<AffineForm> longer =
        numbers(other, form.product()).flatMap(n -> extended(call, form, n, isSwapped));
    longer.ifPresent(_ -> found.remove(var));
    return longer;
  }

  private static Optional<AffineForm> extended(
      Call call, AffineForm form, double[] numbers, boolean isSwapped) {
    if (call.callee().equals(Arithmetic.ADD)) {
      return Optional.of(form.plus(numbers));
    }
    if (call.callee().equals(Arithmetic.MULTIPLY)) {
      return Optional.of(form.times(numbers));
    }
    if (call.callee().equals(Arithmetic.SUBTRACT)) {
      return Optional.of(
          isSwapped
              ? form.times(constant(-1, numbers.length)).plus(numbers)
              : form.plus(Arrays.stream(numbers).map(n -> -n).toArray()));
    }
    return call.callee().equals(Arithmetic.DIVIDE) && !isSwapped
        ? Optional.of(form.times(Arrays.stream(numbers).map(n -> 1 / n).toArray()))
        : Optional.empty();
  }

  private static double[] constant(double number, int count) {
    double[] all = new double[count];
    Arrays.fill(all, number);
    return all;
  }

  /** A number for each channel; empty for what is no constant, or not one per channel. */
  private static Optional<double[]> numbers(Expr expr, ChannelProduct product) {
    if (expr instanceof PrimValue(FloatImm number)) {
      return Optional.of(constant(number.value(), product.channels()));
    }
    if (!(expr instanceof Constant constant)
        || !constant.data().dtype().equals(product.weights().data().dtype())
        || !constant.data().device().isHost()) {
      return Optional.empty();
    }
    Tensor data = constant.data();
    int missing = product.ndim() - data.shape().rank();
    if (missing < 0 || data.elementCount() > product.channels()) {
      return Optional.empty();
    }
    if (data.elementCount() == 1) {
      return Optional.of(constant(data.toDoubleArray()[0], product.channels()));
    }
    int axis = product.axis() - missing;
    return axis >= 0
            && data.elementCount() == product.channels()
            && data.shape().dim(axis) == product.channels()
        ? Optional.of(data.toDoubleArray())
        : Optional.empty();
  }
}
