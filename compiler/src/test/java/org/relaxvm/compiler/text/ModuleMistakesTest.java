package org.relaxvm.compiler.text;

import org.junit.jupiter.api.Test;

/** What the reader says of texts that are wrong: whole messages. */
class ModuleMistakesTest {
  @Test
  void textsThatAreNoModules() {
    Texts.malformed(
        """
        x = 1
        """,
        """
        model.py:1:1: expected a module, which begins with @I.ir_module and class Module:, but got 'x'
          1 | x = 1
              ^\
        """);
  }

  @Test
  void itemsThatAreNoFunctions() {
    Texts.malformed(
        """
        class M:
            x = 1
        """,
        """
        model.py:2:9: expected R.ExternFunc("..."), but got '1'
          2 |     x = 1
                      ^\
        """);
  }

  @Test
  void unknownAttributesOfAFunction() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            @R.function(privat=True)
            def f() -> R.Tuple:
                return ()
        """,
        """
        model.py:3:17: unknown argument 'privat' of R.function
          similar: private
          3 |     @R.function(privat=True)
                              ^\
        """);
  }

  @Test
  void parametersTwice() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            @R.function
            def f(x: R.Any, x: R.Any) -> R.Tuple:
                return ()
        """,
        """
        model.py:4:21: the parameter 'x' is there twice
          4 |     def f(x: R.Any, x: R.Any) -> R.Tuple:
                                  ^\
        """);
  }

  @Test
  void unknownSymbolsInAResultType() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            @R.function
            def f(x: R.Any) -> R.Tensor((k,)):
                return x
        """,
        """
        model.py:4:34: unknown symbol 'k'
          what there is: nothing
          4 |     def f(x: R.Any) -> R.Tensor((k,)):
                                               ^\
        """);
  }

  @Test
  void parametersWithoutAType() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            @R.function
            def f(x) -> R.Any:
                return x
        """,
        """
        model.py:4:12: expected ':', but got ')'
          4 |     def f(x) -> R.Any:
                         ^\
        """);
  }

  @Test
  void resultsOfAnotherKind() {
    Texts.invalid(
        """
        @I.ir_module
        class M:
            @R.function
            def f(x: R.Shape) -> R.Tensor:
                return x
        """,
        """
        model.py:5:16: the result must be R.Tensor, but x is R.Shape
          5 |         return x
                             ^\
        """);
  }

  @Test
  void functionsTwice() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            f = R.ExternFunc("a")
            f = R.ExternFunc("b")
        """,
        """
        model.py:4:5: the module has two functions of the name 'f'
          4 |     f = R.ExternFunc("b")
                  ^\
        """);
  }

  @Test
  void unknownAttributesOfAModule() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            I.module_atts({})
        """,
        """
        model.py:3:5: unknown attribute of a module 'I.module_atts'
          similar: I.module_attrs
          3 |     I.module_atts({})
                  ^\
        """);
  }

  @Test
  void textAfterTheModule() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            pass
        x = 1
        """,
        """
        model.py:4:1: expected the end of the text after the class, but got 'x'
          4 | x = 1
              ^\
        """);
  }

  @Test
  void callsOfFunctionsWhoseResultsComeLater() {
    Texts.malformed(
        """
        @I.ir_module
        class M:
            @R.function
            def f() -> R.Any:
                return cls.g()
            @R.function
            def g():
                return ()
        """,
        """
        model.py:5:20: what 'g' gives is not known here; say it after its parameters: -> R.Tensor(...)
          5 |         return cls.g()
                                 ^\
        """);
  }
}
