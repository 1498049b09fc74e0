package org.relaxvm.compiler.op;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Count;

/**
 * An operator. Immutable and thread-safe; two are equal when they are the same object.
 *
 * <pre>{@code
 * OpDef relu = OpDef.named("nn.relu").args("x").rule(call -> call.tensor(0)).legalizer(...).build();
 * }</pre>
 *
 * <p>Source: docs/spec/relax-ir.md, section 6.1.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why does a call contain its operator's definition?"
 */
public final class OpDef implements Op {
  private final Builder parts;

  private OpDef(Builder parts) {
    this.parts = parts;
  }

  /** Begins the definition of an operator; the name lacks {@code relax.}. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  @Override
  public String name() {
    return parts.name;
  }

  @Override
  public boolean isPure() {
    return parts.isPure;
  }

  /** The names of the arguments, in order. The last ones may be absent in a call. */
  public List<String> argNames() {
    return parts.argNames;
  }

  /** How many of the arguments each call has. */
  public int requiredArgs() {
    return parts.requiredArgs;
  }

  /** Whether any number of arguments may follow those that have names. */
  public boolean isVariadic() {
    return parts.isVariadic;
  }

  /** The attributes. */
  public List<AttrSpec> attrSpecs() {
    return parts.attrs;
  }

  /** How a kernel computes a call; empty when none does. */
  public Optional<Legalizer> legalizer() {
    return Optional.ofNullable(parts.legalizer);
  }

  /** The packed function that computes a call where no kernel does. */
  public Optional<String> packedName() {
    return Optional.ofNullable(parts.packedName);
  }

  /** Whether the result's shape depends on data, so that its type says nothing of it. */
  public boolean isDataDependent() {
    return parts.isDataDependent;
  }

  /** Whether a kernel can be made only where the shapes of the arguments are known. */
  public boolean needsArgShapes() {
    return parts.needsArgShapes;
  }

  /** Whether a call makes memory: never shared with an equal one. */
  public boolean isAllocator() {
    return parts.isAllocator;
  }

  /**
   * What a call gives.
   *
   * @param call its arguments have types
   * @throws InvalidProgramException when the number of arguments or an attribute is wrong, and
   *     where the rule of the operator says so
   */
  public Type infer(Call call, OpContext context) {
    requireArgs(call.args().size());
    call.attrs().values().keySet().forEach(this::requireAttr);
    parts.attrs.stream().filter(spec -> !call.attrs().has(spec.name())).forEach(this::fallback);
    return parts.rule.infer(new OpCall(this, call, context));
  }

  /** The form that later passes expect of a typed call; the call itself when it has it. */
  public Expr normalize(Call call, OpContext context) {
    return parts.normalizer.normalize(call, context);
  }

  /**
   * Checks of a typed call what only a checker of whole programs looks at.
   *
   * @throws InvalidProgramException when it is wrong
   */
  public void validate(Call call, OpContext context) {
    parts.validator.validate(new OpCall(this, call, context));
  }

  private void requireAttr(String attr) {
    if (parts.attrs.stream().noneMatch(spec -> spec.name().equals(attr))) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          name()
              + " has no attribute "
              + attr
              + "; it has "
              + (parts.attrs.isEmpty()
                  ? "none"
                  : String.join(", ", parts.attrs.stream().map(AttrSpec::name).toList())));
    }
  }

  /** The attributes with a value for each that has a default. */
  public Attrs withDefaults(Attrs given) {
    Attrs all = given;
    for (AttrSpec spec : parts.attrs) {
      if (!given.has(spec.name())) {
        Optional<Object> value = fallback(spec);
        all = value.isPresent() ? all.with(spec.name(), value.get()) : all;
      }
    }
    return all;
  }

  private Optional<Object> fallback(AttrSpec spec) {
    if (spec.isRequired()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          name() + ": the attribute " + spec.name() + " must be given: " + spec.kind().text());
    }
    return spec.fallback();
  }

  /** The name of an argument, for messages. */
  public String argName(int index) {
    return index < parts.argNames.size() ? parts.argNames.get(index) : Integer.toString(index);
  }

  private void requireArgs(int count) {
    boolean right =
        count >= parts.requiredArgs && (parts.isVariadic || count <= parts.argNames.size());
    if (!right) {
      boolean ranged = parts.isVariadic || parts.requiredArgs < parts.argNames.size();
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          name()
              + " takes "
              + (ranged
                  ? "from "
                      + parts.requiredArgs
                      + (parts.isVariadic
                          ? " arguments up"
                          : " to " + Count.arguments(parts.argNames.size()))
                  : Count.arguments(parts.requiredArgs))
              + " ("
              + String.join(", ", parts.argNames)
              + "), but got "
              + count);
    }
  }

  @Override
  public String toString() {
    return "R." + name();
  }

  /** Puts a typed call into the form that later passes expect. */
  @FunctionalInterface
  public interface Normalizer {
    /** The form; the call itself when it has it. */
    Expr normalize(Call call, OpContext context);
  }

  /** Checks a call of a whole program. */
  @FunctionalInterface
  public interface Validator {
    /** Throws when the call is wrong. */
    void validate(OpCall call);
  }

  /** Collects the definition of an operator. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private List<String> argNames = List.of();
    private int requiredArgs;
    private boolean isVariadic;
    private List<AttrSpec> attrs = List.of();
    private TypeRule rule =
        call -> {
          throw call.error("has no rule");
        };
    private @Nullable Legalizer legalizer;
    private @Nullable String packedName;
    private Normalizer normalizer = (call, context) -> call;
    private Validator validator = call -> {};
    private boolean isPure = true;
    private boolean isDataDependent;
    private boolean needsArgShapes = true;
    private boolean isAllocator;

    private Builder(String name) {
      this.name = name;
    }

    private Builder(Builder other) {
      name = other.name;
      argNames = other.argNames;
      requiredArgs = other.requiredArgs;
      isVariadic = other.isVariadic;
      attrs = List.copyOf(other.attrs);
      rule = other.rule;
      legalizer = other.legalizer;
      packedName = other.packedName;
      normalizer = other.normalizer;
      validator = other.validator;
      isPure = other.isPure;
      isDataDependent = other.isDataDependent;
      needsArgShapes = other.needsArgShapes;
      isAllocator = other.isAllocator;
    }

    /** Sets the arguments, all of which each call has. */
    public Builder args(String... names) {
      argNames = List.of(names);
      requiredArgs = names.length;
      return this;
    }

    /** Adds arguments that may be absent. */
    public Builder optionalArgs(String... names) {
      List<String> all = new ArrayList<>(argNames);
      all.addAll(List.of(names));
      argNames = List.copyOf(all);
      return this;
    }

    /** Lets any number of arguments follow. */
    public Builder variadic() {
      isVariadic = true;
      return this;
    }

    /** Adds attributes. */
    public Builder attrs(AttrSpec... specs) {
      List<AttrSpec> all = new ArrayList<>(attrs);
      all.addAll(List.of(specs));
      attrs = all;
      return this;
    }

    /** Sets the rule that derives the type of a call. */
    public Builder rule(TypeRule value) {
      rule = value;
      return this;
    }

    /** Sets how a kernel computes a call. */
    public Builder legalizer(Legalizer value) {
      legalizer = value;
      return this;
    }

    /** Sets the packed function that computes a call. */
    public Builder packed(String function) {
      packedName = function;
      return this;
    }

    /** Sets the form of typed calls. */
    public Builder normalizer(Normalizer value) {
      normalizer = value;
      return this;
    }

    /** Sets what is checked in whole programs. */
    public Builder validator(Validator value) {
      validator = value;
      return this;
    }

    /** Says that a call has an effect. */
    public Builder impure() {
      isPure = false;
      return this;
    }

    /** Says that the shape of the result depends on data. */
    public Builder dataDependent() {
      isDataDependent = true;
      return this;
    }

    /** Says that a kernel can be made where the shapes of arguments are not known. */
    public Builder withoutArgShapes() {
      needsArgShapes = false;
      return this;
    }

    /** Says that a call makes memory. */
    public Builder allocator() {
      isAllocator = true;
      return this;
    }

    /** Applies what several operators have in common. */
    public Builder with(UnaryOperator<Builder> common) {
      return common.apply(this);
    }

    /**
     * The operator.
     *
     * @throws IllegalArgumentException when an argument and an attribute have one name
     */
    public OpDef build() {
      for (AttrSpec spec : attrs) {
        if (argNames.contains(spec.name())) {
          throw new IllegalArgumentException(
              name
                  + " has an argument and an attribute "
                  + spec.name()
                  + ", which the text of a call could not tell apart");
        }
      }
      return new OpDef(new Builder(this));
    }
  }
}
