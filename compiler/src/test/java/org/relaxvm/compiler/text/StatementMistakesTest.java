package org.relaxvm.compiler.text;

import org.junit.jupiter.api.Test;

/** What the reader says of texts that are wrong: whole messages. */
class StatementMistakesTest {
  @Test
  void unknownOperators() {
    Texts.malformed(
        Texts.main(
            """
            y = R.ad(x, x)
            return y\
            """),
        """
        model.py:5:13: unknown operator 'R.ad'
          similar: R.add, R.abs, R.max
          5 |         y = R.ad(x, x)
                          ^\
        """);
  }

  @Test
  void unknownNames() {
    Texts.malformed(
        Texts.main(
            """
            y = R.add(x, z)
            return y\
            """),
        """
        model.py:5:22: unknown name 'z'
          what there is: n, x
          5 |         y = R.add(x, z)
                                   ^\
        """);
  }

  @Test
  void numbersForTensors() {
    Texts.invalid(
        Texts.main(
            """
            y = R.add(x, 1)
            return y\
            """),
        """
        model.py:5:13: add: expected one dtype, but x1 is float32 and x2 is int64; use astype
          a plain number is a scalar; a tensor is R.const(1, "float32")
          5 |         y = R.add(x, 1)
                          ^\
        """);
  }

  @Test
  void missingArguments() {
    Texts.invalid(
        Texts.main(
            """
            y = R.add(x)
            return y\
            """),
        """
        model.py:5:13: add takes 2 arguments (x1, x2), but got 1
          5 |         y = R.add(x)
                          ^\
        """);
  }

  @Test
  void attributesOfAnotherKind() {
    Texts.malformed(
        Texts.main(
            """
            y = R.test.many(x, axes="a")
            return y\
            """),
        """
        model.py:5:33: the attribute axes of R.test.many must be a list of integers, but is "a"
          5 |         y = R.test.many(x, axes="a")
                                              ^\
        """);
  }

  @Test
  void unknownKeywords() {
    Texts.malformed(
        Texts.main(
            """
            y = R.test.many(x, axs=1)
            return y\
            """),
        """
        model.py:5:28: unknown argument 'axs' of R.test.many
          similar: axes, axis
          5 |         y = R.test.many(x, axs=1)
                                         ^\
        """);
  }

  @Test
  void argumentsTwice() {
    Texts.malformed(
        Texts.main(
            """
            y = R.add(x, x1=x)
            return y\
            """),
        """
        model.py:5:25: the argument 'x1' is there twice
          5 |         y = R.add(x, x1=x)
                                      ^\
        """);
  }

  @Test
  void annotationsThatAreWrong() {
    Texts.invalid(
        Texts.main(
            """
            y: R.Tensor((n, 5), "float32") = x
            return y\
            """),
        """
        model.py:5:12: the type of y is given as R.Tensor((n, 5), dtype="float32"), but its value is R.Tensor((n, 4), dtype="float32")
          5 |         y: R.Tensor((n, 5), "float32") = x
                         ^\
        """);
  }

  @Test
  void annotationsWithUnknownSymbols() {
    Texts.malformed(
        Texts.main(
            """
            y: R.Tensor((m, 4), "float32") = x
            return y\
            """),
        """
        model.py:5:22: unknown symbol 'm'
          what there is: n
          5 |         y: R.Tensor((m, 4), "float32") = x
                                   ^\
        """);
  }

  @Test
  void annotationsThatCannotBeProved() {
    Texts.invalid(
        Texts.main(
            """
            y: R.Tensor((n, n), "float32") = x
            return y\
            """),
        """
        model.py:5:12: the type of y is given as R.Tensor((n, n), dtype="float32"), but its value is R.Tensor((n, 4), dtype="float32")
          to check it when the program runs: y = R.match_cast(..., R.Tensor((n, n), dtype="float32"))
          5 |         y: R.Tensor((n, n), "float32") = x
                         ^\
        """);
  }

  @Test
  void unknownSymbolsOfAMatchCast() {
    Texts.malformed(
        Texts.main(
            """
            y = R.match_cast(x, R.Tensor((k + 1,)))
            return y\
            """),
        """
        model.py:5:39: unknown symbol 'k'
          what there is: n
          5 |         y = R.match_cast(x, R.Tensor((k + 1,)))
                                                    ^\
        """);
  }

  @Test
  void impossibleMatchCasts() {
    Texts.invalid(
        Texts.main(
            """
            y = R.match_cast(x, R.Shape)
            return y\
            """),
        """
        model.py:5:13: match_cast: x can never be R.Shape, for it is R.Tensor((n, 4), dtype="float32")
          5 |         y = R.match_cast(x, R.Shape)
                          ^\
        """);
  }

  @Test
  void matchCastsInsideOfExpressions() {
    Texts.malformed(
        Texts.main(
            """
            y = R.add(R.match_cast(x, R.Any), x)
            return y\
            """),
        """
        model.py:5:19: a match_cast is a binding of its own, such as y = R.match_cast(x, R.Any)
          5 |         y = R.add(R.match_cast(x, R.Any), x)
                                ^\
        """);
  }

  @Test
  void missingReturns() {
    Texts.malformed(
        Texts.main(
            """
            y = x\
            """),
        """
        model.py:6:1: expected 'return' at the end of the function main, but got the end of the indented lines
          6 |\s
              ^\
        """);
  }

  @Test
  void statementsAfterReturn() {
    Texts.malformed(
        Texts.main(
            """
            return x
            y = x\
            """),
        """
        model.py:6:9: expected the end of the function, for 'return' is its last statement, but got 'y'
          6 |         y = x
                      ^\
        """);
  }

  @Test
  void expressionsAsStatements() {
    Texts.malformed(
        Texts.main(
            """
            x\
            """),
        """
        model.py:5:9: expected a statement: a binding such as y = R.add(x, x), or a call
          5 |         x
                      ^\
        """);
  }

  @Test
  void unknownFunctions() {
    Texts.malformed(
        Texts.main(
            """
            y = cls.g(x)
            return y\
            """),
        """
        model.py:5:17: unknown function 'g'
          what there is: main
          5 |         y = cls.g(x)
                              ^\
        """);
  }

  @Test
  void unknownModules() {
    Texts.malformed(
        Texts.main(
            """
            y = Modul.main(x)
            return y\
            """),
        """
        model.py:5:13: unknown name 'Modul'
          similar: Module
          5 |         y = Modul.main(x)
                          ^\
        """);
  }

  @Test
  void recursionWithoutAResultType() {
    Texts.malformed(
        Texts.main(
            """
            y = cls.main(x)
            return y\
            """),
        """
        model.py:5:17: what 'main' gives is not known here; say it after its parameters: -> R.Tensor(...)
          5 |         y = cls.main(x)
                              ^\
        """);
  }

  @Test
  void fieldsOfATensor() {
    Texts.invalid(
        Texts.main(
            """
            y = x[0]
            return y\
            """),
        """
        model.py:5:14: only a tuple has values by number, but x is R.Tensor((n, 4), dtype="float32")
          5 |         y = x[0]
                           ^\
        """);
  }

  @Test
  void fieldsThatATupleDoesNotHave() {
    Texts.invalid(
        Texts.main(
            """
            y = (x, x)[2]
            return y\
            """),
        """
        model.py:5:19: there is no value 2 in (x, x), which is R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32"))
          5 |         y = (x, x)[2]
                                ^\
        """);
  }

  @Test
  void callsOfATensor() {
    Texts.invalid(
        Texts.main(
            """
            y = x(x)
            return y\
            """),
        """
        model.py:5:13: only a function can be called, but x is R.Tensor((n, 4), dtype="float32")
          5 |         y = x(x)
                          ^\
        """);
  }

  @Test
  void listsOfAConstantOfDifferentLengths() {
    Texts.malformed(
        Texts.main(
            """
            y = R.const([[1], [2, 3]])
            return y\
            """),
        """
        model.py:5:27: the lists of a constant must be equally long; expected 1 values, but got 2
          5 |         y = R.const([[1], [2, 3]])
                                        ^\
        """);
  }

  @Test
  void listsOfAConstantOfDifferentDepths() {
    Texts.malformed(
        Texts.main(
            """
            y = R.const([1, [2]])
            return y\
            """),
        """
        model.py:5:25: the lists of a constant must be nested equally deep everywhere
          5 |         y = R.const([1, [2]])
                                      ^\
        """);
  }

  @Test
  void constantsThatDoNotFit() {
    Texts.malformed(
        Texts.main(
            """
            y = R.const(300, "int8")
            return y\
            """),
        """
        model.py:5:21: the constant 300 does not fit int8
          5 |         y = R.const(300, "int8")
                                  ^\
        """);
  }

  @Test
  void fractionsThatAreNoIntegers() {
    Texts.malformed(
        Texts.main(
            """
            y = R.const(1.5, "int8")
            return y\
            """),
        """
        model.py:5:21: the constant 1.5 does not fit int8
          5 |         y = R.const(1.5, "int8")
                                  ^\
        """);
  }

  @Test
  void constantsThatAreNoNumbers() {
    Texts.malformed(
        Texts.main(
            """
            y = R.const(x)
            return y\
            """),
        """
        model.py:5:21: expected a number, True, False or a list of them, but got 'x'
          5 |         y = R.const(x)
                                  ^\
        """);
  }

  @Test
  void dtypesThatNumbersDoNotHave() {
    Texts.malformed(
        Texts.main(
            """
            y = R.const(1, "int33")
            return y\
            """),
        """
        model.py:5:13: a constant of dtype int33 cannot be written as numbers
          5 |         y = R.const(1, "int33")
                          ^\
        """);
  }

  @Test
  void constantsThatAreNotThere() {
    Texts.malformed(
        Texts.main(
            """
            y = metadata["relax.expr.Constant"][0]
            return y\
            """),
        """
        model.py:5:45: the constant 0 is not beside the text; it is read with 0 constants, counted from 0
          5 |         y = metadata["relax.expr.Constant"][0]
                                                          ^\
        """);
  }
}
