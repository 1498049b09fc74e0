package org.relaxvm.vmcore.tier;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that a hidden class refers to: elements of its class data, which the JIT compiler
 * treats as constants.
 */
final class ClassConstants {
  private final List<Object> values = new ArrayList<>();
  private final Map<Object, Integer> indices = new IdentityHashMap<>();

  /** Pushes an object. */
  void load(CodeBuilder b, Object value, ClassDesc type) {
    int index = indices.computeIfAbsent(value, this::add);
    b.loadConstant(
        DynamicConstantDesc.ofNamed(
            ConstantDescs.BSM_CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, index));
  }

  private int add(Object value) {
    values.add(value);
    return values.size() - 1;
  }

  /** The class data. */
  List<Object> data() {
    return List.copyOf(values);
  }
}
