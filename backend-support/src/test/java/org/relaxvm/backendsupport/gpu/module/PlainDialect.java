package org.relaxvm.backendsupport.gpu.module;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.codegen.KernelHead;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * A language of the C family without anything of its own.
 *
 * @param maxWorkGroups of a launch along each axis
 */
record PlainDialect(long maxWorkGroups) implements Dialect {
  /** For a device that launches any number of work-groups. */
  PlainDialect() {
    this(Long.MAX_VALUE);
  }

  @Override
  public long maxWorkGroups(int axis) {
    return maxWorkGroups;
  }

  @Override
  public String fileSuffix() {
    return ".c";
  }

  @Override
  public Set<String> reserved() {
    return Set.of();
  }

  @Override
  public String prologue(String program) {
    return "";
  }

  @Override
  public boolean computes(DType dtype) {
    return true;
  }

  @Override
  public String type(DType dtype) {
    return dtype.toString();
  }

  @Override
  public String storageType(DType dtype) {
    return dtype.toString();
  }

  @Override
  public String indexType(boolean wide) {
    return wide ? "long" : "int";
  }

  @Override
  public String kernel(KernelHead head) {
    String parameters =
        head.parameters().stream()
            .map(KernelHead.Parameter::name)
            .collect(Collectors.joining(", "));
    return "void %s(%s) {\n".formatted(head.name(), parameters);
  }

  @Override
  public String sharedArray(String name, DType dtype, long size) {
    return "shared " + localArray(name, dtype, size);
  }

  @Override
  public String localArray(String name, DType dtype, long size) {
    return "%s %s[%d];".formatted(dtype, name, size);
  }

  @Override
  public String workGroup(int axis) {
    return "group" + axis;
  }

  @Override
  public String item() {
    return "item";
  }

  @Override
  public String barrier(boolean global) {
    return "barrier();";
  }

  @Override
  public String load(DType dtype, String array, String index) {
    return array + "[" + index + "]";
  }

  @Override
  public String store(DType dtype, String array, String index, String value) {
    return array + "[" + index + "] = " + value + ";";
  }

  @Override
  public String call(Intrinsic function, DType dtype, List<String> args) {
    return function + "(" + String.join(", ", args) + ")";
  }

  @Override
  public String floatRemainder(DType dtype, String a, String b) {
    return "fmod(" + a + ", " + b + ")";
  }

  @Override
  public String cast(DType from, DType to, String value) {
    return "(" + to + ")" + value;
  }

  @Override
  public String literal(DType dtype, double value) {
    return Double.toString(value);
  }

  @Override
  public String literal(DType dtype, long value) {
    return Long.toString(value);
  }

  @Override
  public String indexLiteral(long value, boolean wide) {
    return Long.toString(value);
  }

  @Override
  public String contraction() {
    return "";
  }

  @Override
  public String unroll() {
    return "";
  }
}
