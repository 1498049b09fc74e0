package org.relaxvm.compiler.text;

import org.junit.jupiter.api.Test;

/** What the reader says of blocks, choices, types and calls that are wrong: whole messages. */
class BlockMistakesTest {
  @Test
  void choicesWithoutElse() {
    Texts.malformed(
        Texts.main(
            """
            if x:
                y = x
            return x\
            """),
        """
        model.py:7:9: expected 'else', but got 'return'
          7 |         return x
                      ^\
        """);
  }

  @Test
  void branchesWithResultsOfDifferentNames() {
    Texts.malformed(
        Texts.main(
            """
            if R.const(True):
                y = x
            else:
                z = x
            return y\
            """),
        """
        model.py:8:13: both branches end with a binding of the same name; expected 'y', but got 'z'
          8 |             z = x
                          ^\
        """);
  }

  @Test
  void branchesWithoutResult() {
    Texts.malformed(
        Texts.main(
            """
            if R.const(True):
                R.print("a")
            else:
                y = x
            return y\
            """),
        """
        model.py:7:9: expected a binding of the result of the branch, such as y = x, but got the end of the indented lines
          7 |         else:
                      ^\
        """);
  }

  @Test
  void blocksWithoutOutput() {
    Texts.malformed(
        Texts.main(
            """
            with R.dataflow():
                y = x
            return y\
            """),
        """
        model.py:7:9: expected R.output(...) at the end of the dataflow block, but got the end of the indented lines
          7 |         return y
                      ^\
        """);
  }

  @Test
  void outputsThatAreNotThere() {
    Texts.malformed(
        Texts.main(
            """
            with R.dataflow():
                y = x
                R.output(z)
            return y\
            """),
        """
        model.py:7:22: unknown name 'z'
          what there is: x, y
          7 |             R.output(z)
                                   ^\
        """);
  }

  @Test
  void variablesOfABlockAfterIt() {
    Texts.malformed(
        Texts.main(
            """
            with R.dataflow():
                y = R.add(x, x)
                z = y
                R.output(z)
            return y\
            """),
        """
        model.py:9:16: unknown name 'y'
          what there is: n, x, z
          9 |         return y
                             ^\
        """);
  }

  @Test
  void choicesInBlocks() {
    Texts.malformed(
        Texts.main(
            """
            with R.dataflow():
                if x:
                    y = x
                R.output(y)
            return y\
            """),
        """
        model.py:6:13: a dataflow block has no choices; end it in front of the if
          6 |             if x:
                          ^\
        """);
  }

  @Test
  void unknownTypes() {
    Texts.malformed(
        Texts.main(
            """
            y: R.Tensr = x
            return y\
            """),
        """
        model.py:5:12: unknown type 'R.Tensr'
          similar: R.Tensor
          5 |         y: R.Tensr = x
                         ^\
        """);
  }

  @Test
  void tensorsWithAShapeAndARank() {
    Texts.malformed(
        Texts.main(
            """
            y: R.Tensor((n,), ndim=1) = x
            return y\
            """),
        """
        model.py:5:12: a tensor has either a shape or ndim=, which the shape says
          5 |         y: R.Tensor((n,), ndim=1) = x
                         ^\
        """);
  }

  @Test
  void unknownArgumentsOfTypes() {
    Texts.malformed(
        Texts.main(
            """
            y: R.Tensor((n,), shpe=1) = x
            return y\
            """),
        """
        model.py:5:27: unknown argument 'shpe' of R.Tensor
          similar: shape
          5 |         y: R.Tensor((n,), shpe=1) = x
                                        ^\
        """);
  }

  @Test
  void whatIsNoType() {
    Texts.malformed(
        Texts.main(
            """
            y: int = x
            return y\
            """),
        """
        model.py:5:12: expected a type, such as R.Tensor((n, 4), dtype="float32"), but got 'int'
          5 |         y: int = x
                         ^\
        """);
  }

  @Test
  void packedFunctionsWithoutQuotes() {
    Texts.malformed(
        Texts.main(
            """
            y = R.call_packed(f, x)
            return y\
            """),
        """
        model.py:5:27: expected the name of a packed function in quotes, but got 'f'
          5 |         y = R.call_packed(f, x)
                                        ^\
        """);
  }

  @Test
  void functionsWithoutAResultTypeAsValues() {
    Texts.malformed(
        Texts.main(
            """
            y = R.call_tir(cls.main, (x,))
            return y\
            """),
        """
        model.py:5:28: what 'main' gives is not known here; say it after its parameters: -> R.Tensor(...)
          5 |         y = R.call_tir(cls.main, (x,))
                                         ^\
        """);
  }

  @Test
  void resultsThatAreSaidTwice() {
    Texts.malformed(
        Texts.main(
            """
            y = R.add(x, x, ty_args=R.Any, ty_args=R.Any)
            return y\
            """),
        """
        model.py:5:40: what the call gives is said twice
          5 |         y = R.add(x, x, ty_args=R.Any, ty_args=R.Any)
                                                     ^\
        """);
  }

  @Test
  void argumentsAfterThoseWithNames() {
    Texts.malformed(
        Texts.main(
            """
            y = R.print(format="a", x)
            return y\
            """),
        """
        model.py:5:33: an argument without a name follows one with a name
          5 |         y = R.print(format="a", x)
                                              ^\
        """);
  }

  @Test
  void requiredArgumentsThatAreNone() {
    Texts.invalid(
        Texts.main(
            """
            y = R.ones(None, "int8")
            return y\
            """),
        """
        model.py:5:13: ones takes 1 argument (shape), but got 0
          5 |         y = R.ones(None, "int8")
                          ^\
        """);
  }

  @Test
  void argumentsThatAreNoneInFrontOfOthers() {
    Texts.malformed(
        Texts.main(
            """
            y = R.test.many(None, x)
            return y\
            """),
        """
        model.py:5:25: the argument x of R.test.many is not given, but a later one is
          5 |         y = R.test.many(None, x)
                                      ^\
        """);
  }

  @Test
  void keywordsAsNames() {
    Texts.malformed(
        Texts.main(
            """
            import = x
            return x\
            """),
        """
        model.py:5:9: 'import' has another meaning and cannot name a variable
          5 |         import = x
                      ^\
        """);
  }

  @Test
  void operatorsOfPython() {
    Texts.malformed(
        Texts.main(
            """
            y = x + 1
            return y\
            """),
        """
        model.py:5:15: expected the end of an expression, but got '+'; operators on tensors are functions here, such as R.add(x, y)
          5 |         y = x + 1
                            ^\
        """);
  }

  @Test
  void unfinishedExpressions() {
    Texts.malformed(
        Texts.main(
            """
            y = n +
            return y\
            """),
        """
        model.py:5:16: expected an expression, but got the end of the line
          5 |         y = n +
                             ^\
        """);
  }

  @Test
  void variablesAsExtents() {
    Texts.malformed(
        Texts.main(
            """
            y = R.shape([x])
            return y\
            """),
        """
        model.py:5:22: unknown symbol 'x'
          what there is: n
          5 |         y = R.shape([x])
                                   ^\
        """);
  }

  @Test
  void extentsThatAreFractions() {
    Texts.invalid(
        Texts.main(
            """
            y = R.shape([n, 1.5])
            return y\
            """),
        """
        model.py:5:13: an extent must be int64, but 1.5 is float64
          5 |         y = R.shape([n, 1.5])
                          ^\
        """);
  }

  @Test
  void refusalsOfOperators() {
    Texts.invalid(
        Texts.main(
            """
            y = R.add(x, R.const([1.0, 2.0, 3.0]))
            return y\
            """),
        """
        model.py:5:13: add: cannot broadcast (n, 4) and (3,): of axis 1 the extents are 4 and 3; expected equal ones, or 1
          5 |         y = R.add(x, R.const([1.0, 2.0, 3.0]))
                          ^\
        """);
  }
}
