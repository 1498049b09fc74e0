package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.object.ComparisonKind;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectTypes;

class ValueTest {
  @Test
  void scalarsConvertAsInTheCallingConvention() {
    assertThat(Value.owned(3L).asLong()).isEqualTo(3);
    assertThat(Value.owned(3L).asDouble()).isEqualTo(3.0);
    assertThat(Value.owned(true).asLong()).isOne();
    assertThat(Value.owned(0L).asBoolean()).isFalse();
    assertThat(Value.owned(2.5).asDouble()).isEqualTo(2.5);
    assertThat(Value.owned(null).isNull()).isTrue();
    assertThat(Value.owned("x").asString()).isEqualTo("x");
    assertThat(Value.owned(Shape.of(2)).asShape()).isEqualTo(Shape.of(2));
  }

  @Test
  void otherKindsAreRefusedWithTheirName() {
    assertThatThrownBy(() -> Value.owned(2.5).asLong())
        .isInstanceOf(CallException.class)
        .hasMessage("the value is a floating-point number, not an integer");
    assertThatThrownBy(() -> Value.owned(null).asTensor())
        .hasMessage("the value is null, not a tensor");
    assertThatThrownBy(() -> Value.owned("x").asShape())
        .hasMessage("the value is a string, not a shape");
    assertThatThrownBy(() -> Value.owned(1L).asString())
        .hasMessage("the value is an integer, not a string");
    assertThatThrownBy(() -> Value.owned(Shape.of()).asTuple())
        .hasMessage("the value is a shape, not a tuple");
    assertThatThrownBy(() -> Value.owned(true).asClosure())
        .hasMessage("the value is a boolean, not a closure");
  }

  @Test
  void closingAnOwnedValueClosesWhatItHolds() {
    Tensor tensor = Tensor.scalar(1L);
    Value.borrowed(tensor).close();
    assertThat(tensor.isLive()).isTrue();
    Value owned = Value.owned(tensor);
    owned.close();
    owned.close();
    assertThat(tensor.isLive()).isFalse();
    Value.owned(1L).close();
  }

  @Test
  void aTupleIsAListOfBorrowedValues() {
    Tensor tensor = Tensor.scalar(1L);
    Value value = Value.owned(Tuple.ofOwned(new Object[] {tensor, 2L}));
    value.asList().getFirst().close();
    assertThat(tensor.isLive()).isTrue();
    assertThat(value.asList().get(1).asLong()).isEqualTo(2);
    value.close();
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void everyKindOfValueHasATypeKey() {
    assertThat(TypeKeys.of(DType.BOOL)).isEqualTo("DataType");
    assertThat(TypeKeys.of(DeviceId.CPU)).isEqualTo("Device");
    assertThat(TypeKeys.of(Tensor.scalar(1L))).isEqualTo("ffi.Tensor");
    assertThat(TypeKeys.of(Tensor.scalar(1L).storage())).isEqualTo("vm.Storage");
    assertThat(TypeKeys.of(new byte[0])).isEqualTo("ffi.Bytes");
    assertThat(TypeKeys.of(Closure.of("f", (args, result) -> {}))).isEqualTo("relax.vm.Closure");
    assertThat(TypeKeys.of((PackedFunc) (args, result) -> {})).isEqualTo("ffi.Function");
    assertThat(TypeKeys.of(ScalarTag.FLOAT)).isEqualTo("float");
    assertThat(TypeKeys.of(1)).isEqualTo("int");
    assertThat(TypeKeys.of(new StringBuilder())).isEqualTo("java.lang.StringBuilder");
    assertThat(TypeKeys.of(List.of(1L))).isEqualTo("ffi.Array");
    assertThat(TypeKeys.of(Map.of())).isEqualTo("ffi.Map");
  }

  @TypeKey("test.Point")
  record Point(long x) {}

  @Test
  void objectsOfOtherTypesAreNamedByTheirKey() {
    PackedFunc length = (args, result) -> result.setLong(args.stringAt(0).length());
    assertThatThrownBy(() -> length.invoke(new Point(1)))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #0 must be a string, but is of type test.Point")
        .satisfies(
            e ->
                assertThat(((CallException) e).tvmMessage())
                    .hasValue(
                        "Mismatched type on argument #0. Expected `ffi.String` but got"
                            + " `test.Point`"));
    ObjectTypes types =
        ObjectTypes.of(
            List.of(
                ObjectDeclaration.of(
                    "test.Node", ObjectDeclaration.OBJECT, ComparisonKind.TREE, List.of())));
    Object node = types.require("test.Node").create();
    assertThat(TypeKeys.describe(node)).isEqualTo("of type test.Node");
    assertThat(TypeKeys.of(new ListObject(List.of()))).isEqualTo("ffi.List");
    PackedFunc same = (args, result) -> result.setArgument(args, 0);
    assertThat(same.invoke(node).object()).isSameAs(node);
  }
}
