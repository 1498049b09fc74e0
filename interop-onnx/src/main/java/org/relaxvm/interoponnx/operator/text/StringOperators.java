package org.relaxvm.interoponnx.operator.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/** Operators on strings, which are computed on the host. */
public final class StringOperators {
  private StringOperators() {}

  /** Adds the operators to a table, and extends those that are in it. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("StringConcat", 20, StringOperators::concat)
        .add("StringSplit", 20, StringOperators::split)
        .add("StringNormalizer", 10, StringOperators::normalize)
        .add("RegexFullMatch", 20, StringOperators::match)
        .extend("Equal", StringOperators::equalOr)
        .extend("Cast", StringOperators::castOr)
        .extend("CastLike", StringOperators::castLikeOr);
  }

  private static List<Operand> concat(NodeContext node) {
    Expr result =
        Texts.packed(
            node, "relaxvm.string_concat", List.of(Texts.strings(node, 0), Texts.strings(node, 1)));
    List<PrimExpr> dims =
        Texts.broadcast(node, Texts.dims(node, node.operand(0)), Texts.dims(node, node.operand(1)));
    return List.of(node.text(result, dims));
  }

  private static List<Operand> split(NodeContext node) {
    List<PrimExpr> dims = Texts.dims(node, node.operand(0));
    Expr both =
        Texts.packed(
            node,
            "relaxvm.host.string_split",
            List.of(
                Texts.strings(node, 0),
                new StringImm(node.attributes().string("delimiter", "")),
                PrimValue.of(node.attributes().integer("maxsplit", -1))),
            new TupleType(List.of(AnyType.ANY, TensorType.ofRank(DType.INT64, dims.size()))));
    List<PrimExpr> longer = new ArrayList<>(dims);
    longer.add(node.symbol("parts"));
    Operand parts = node.text(new TupleGetItem(both, 0), longer);
    Expr counts = node.emit(new TupleGetItem(both, 1));
    return List.of(parts, node.operandOf(node.matchCast(counts, TensorType.of(DType.INT64, dims))));
  }

  private static List<Operand> normalize(NodeContext node) {
    String change = node.attributes().string("case_change_action", "NONE");
    if (!List.of("LOWER", "UPPER", "NONE").contains(change)) {
      throw node.unsupported(
          "case_change_action is '" + change + "'; expected LOWER, UPPER or NONE", "");
    }
    List<Expr> args = new ArrayList<>();
    args.add(Texts.strings(node, 0));
    args.add(new StringImm(change));
    args.add(PrimValue.of(node.attributes().flag("is_case_sensitive", false)));
    args.add(new StringImm(node.attributes().string("locale", "")));
    node.attributes()
        .strings("stopwords")
        .orElse(List.of())
        .forEach(word -> args.add(new StringImm(word)));
    int rank = Texts.dims(node, node.operand(0)).size();
    return List.of(Texts.ofRank(node, Texts.packed(node, "relaxvm.string_normalize", args), rank));
  }

  /** Patterns are those of RE2, which differ from Java's in how groups and classes are named. */
  private static List<Operand> match(NodeContext node) {
    String given =
        node.attributes()
            .string("pattern")
            .orElseThrow(() -> node.unsupported("the attribute 'pattern' is missing", ""));
    String pattern = RegularExpressions.ofJava(given);
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw node.unsupported(
          "the pattern '" + given + "' is not supported: " + e.getDescription(), "");
    }
    return List.of(
        Texts.tensor(
            node,
            "relaxvm.host.string_match",
            List.of(Texts.strings(node, 0), new StringImm(pattern)),
            DType.BOOL,
            Texts.dims(node, node.operand(0))));
  }

  // ---------------------------------------------------------------- extended operators

  private static Converter equalOr(Converter numbers) {
    return node -> {
      if (!Texts.areStrings(node.operand(0))) {
        return numbers.convert(node);
      }
      List<PrimExpr> dims =
          Texts.broadcast(
              node, Texts.dims(node, node.operand(0)), Texts.dims(node, node.operand(1)));
      return List.of(
          Texts.tensor(
              node,
              "relaxvm.host.string_equal",
              List.of(Texts.strings(node, 0), Texts.strings(node, 1)),
              DType.BOOL,
              dims));
    };
  }

  private static Converter castOr(Converter numbers) {
    return node -> {
      boolean isToString =
          node.version() < 6
              ? node.attributes().string("to", "").equalsIgnoreCase("STRING")
              : node.attributes().requiredInteger("to") == ElementType.STRING.number();
      if (isToString) {
        return List.of(toStrings(node));
      }
      return Texts.areStrings(node.operand(0))
          ? List.of(fromStrings(node, target(node)))
          : numbers.convert(node);
    };
  }

  private static Converter castLikeOr(Converter numbers) {
    return node -> {
      if (Texts.areStrings(node.operand(1))) {
        return List.of(toStrings(node));
      }
      return Texts.areStrings(node.operand(0))
          ? List.of(fromStrings(node, Dtypes.of(node, node.operand(1))))
          : numbers.convert(node);
    };
  }

  private static DType target(NodeContext node) {
    ElementType type = ElementType.of(node.attributes().requiredInteger("to"));
    DType dtype = type.dtype();
    if (dtype == null) {
      throw node.unsupported("a cast to " + type.string() + " is not supported", "");
    }
    return dtype;
  }

  private static Operand toStrings(NodeContext node) {
    if (Texts.areStrings(node.operand(0))) {
      return node.operand(0);
    }
    Expr x = node.tensor(0);
    return new Operand.Text(Texts.packed(node, "relaxvm.string_format", List.of(x)), node.dims(x));
  }

  private static Operand fromStrings(NodeContext node, DType dtype) {
    DType parsed =
        dtype.equals(DType.BOOL) ? dtype : dtype.isInteger() ? DType.INT64 : DType.FLOAT64;
    Operand numbers =
        Texts.tensor(
            node,
            "relaxvm.host.string_parse",
            List.of(Texts.strings(node, 0), new DataTypeImm(parsed)),
            parsed,
            Texts.dims(node, node.operand(0)));
    return parsed.equals(dtype) ? numbers : node.operandOf(Ops.astype(node.leaf(numbers), dtype));
  }
}
