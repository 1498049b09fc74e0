package org.relaxvm.vmcore.tier;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that a hidden class refers to: final static fields, which the JIT compiler treats as
 * constants.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why are the constants of compiled code in fields?"
 */
final class ClassConstants {
  private static final ClassDesc OBJECTS = ConstantDescs.CD_Object.arrayType();
  private static final ClassDesc HELPER = ClassConstants.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc VALUES =
      MethodTypeDesc.of(OBJECTS, ConstantDescs.CD_MethodHandles_Lookup);

  private final ClassDesc owner;
  private final List<Object> values = new ArrayList<>();
  private final List<ClassDesc> types = new ArrayList<>();
  private final Map<Object, Integer> indices = new IdentityHashMap<>();

  /** Constants of a class. */
  ClassConstants(ClassDesc owner) {
    this.owner = owner;
  }

  /** Pushes an object, which has one type wherever it is used. */
  void load(CodeBuilder b, Object value, ClassDesc type) {
    int index = indices.computeIfAbsent(value, _ -> add(value, type));
    b.getstatic(owner, name(index), types.get(index));
  }

  private int add(Object value, ClassDesc type) {
    values.add(value);
    types.add(type);
    return values.size() - 1;
  }

  private static String name(int index) {
    return "c" + index;
  }

  /** The class data: an array of the objects. */
  Object data() {
    return values.toArray();
  }

  /** Declares the fields; when all methods are written. */
  void declare(ClassBuilder c) {
    for (int i = 0; i < types.size(); i++) {
      c.withField(
          name(i),
          types.get(i),
          ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
    }
    c.withMethodBody(
        ConstantDescs.CLASS_INIT_NAME,
        ConstantDescs.MTD_void,
        ClassFile.ACC_STATIC,
        b -> {
          b.invokestatic(
              ConstantDescs.CD_MethodHandles,
              "lookup",
              MethodTypeDesc.of(ConstantDescs.CD_MethodHandles_Lookup));
          b.invokestatic(HELPER, "valuesOf", VALUES).astore(0);
          for (int i = 0; i < types.size(); i++) {
            b.aload(0).loadConstant(i).aaload();
            if (!types.get(i).equals(ConstantDescs.CD_Object)) {
              b.checkcast(types.get(i));
            }
            b.putstatic(owner, name(i), types.get(i));
          }
          b.return_();
        });
  }

  /** The class data of a class; called by generated classes. */
  static Object[] valuesOf(MethodHandles.Lookup lookup) {
    try {
      return MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, Object[].class);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a compiled function has no access to its constants", e);
    }
  }
}
