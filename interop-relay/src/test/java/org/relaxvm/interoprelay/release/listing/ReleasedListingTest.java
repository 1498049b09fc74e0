package org.relaxvm.interoprelay.release.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.file.EraFiles;

/** One function of each era. */
class ReleasedListingTest {
  private static final String HELPER =
      """
      VM Function[1]: helper(a)
      # reg file size = 1
      # instruction count = 1
      opcode, fields # inst(text):
       0: 1 0                                   # ret $0

      """;

  private static String listing(String version) {
    return ReleasedListing.of(EraFiles.executable(version));
  }

  @Test
  void functionOfTheFirstEra() {
    assertThat(listing("0.6.1"))
        .isEqualTo(
            """
            VM Function[0]: main(x, y)
            # reg file size = 20
            # instruction count = 17
            opcode, fields # inst(text):
             0: 0 1 2                                 # move $2 $1
             1: 2 1 1 3 2                             # invoke $3 VMFunc[1]($2)
             2: 3 4 2 5 0 1                           # invoke_closure $5 $4($0,$1)
             3: 4 1 3 1 0 1 6                         # invoke_packed PackedFunc[1] (in: $0, $1, out: $6)
             4: 5 7 2 32 1 2 8 3 4                    # alloc_tensor $8 $7 [3, 4] float32
             5: 6 7 9 1 1 1 10                        # alloc_tensor_reg $10 $7 $9 uint1
             6: 7 4 2 11 0 1                          # alloc_data $11 tag(4) [$0,$1]
             7: 8 1 1 12 0                            # alloc_closure $12 VMFunc[1]($0)
             8: 9 11 1 13                             # get_field $13 $11[1]
             9: 10 0 1 1 -3                           # if $0 $1 1 -3
            10: 11 1 14                               # load_const $14 Const[1]
            11: 12 2                                  # goto 2
            12: 13 11 15                              # get_tag $15 $11
            13: 14 -5 16                              # load_consti $16 -5
            14: 16 16 15 2 16 1 17                    # alloc_storage $17 $16 $15 float16
            15: 1 3                                   # ret $3
            16: 15                                    # fatal

            """
                + HELPER);
  }

  @Test
  void functionOfTheSecondEra() {
    assertThat(listing("0.8.0").lines().skip(4).limit(20).toList())
        .isEqualTo(
            """
             0: 0 1 2                                 # move $2 $1
             1: 2 1 1 3 2                             # invoke $3 VMFunc[1]($2)
             2: 3 4 2 5 0 1                           # invoke_closure $5 $4($0,$1)
             3: 4 1 3 1 0 1 6                         # invoke_packed PackedFunc[1] (in: $0, $1, out: $6)
             4: 5 7 11 2 32 1 2 8 3 4                 # alloc_tensor $8 $7 $11 [3, 4] float32
             5: 6 7 11 9 1 1 1 10                     # alloc_tensor_reg $10 $7 $11 $9 uint1
             6: 7 4 2 11 0 1                          # alloc_data $11 tag(4) [$0,$1]
             7: 8 1 1 12 0                            # alloc_closure $12 VMFunc[1]($0)
             8: 9 11 1 13                             # get_field $13 $11[1]
             9: 10 0 1 1 -3                           # if $0 $1 1 -3
            10: 11 1 14                               # load_const $14 Const[1]
            11: 12 2                                  # goto 2
            12: 13 11 15                              # get_tag $15 $11
            13: 14 -5 16                              # load_consti $16 -5
            14: 16 16 64 2 16 1 1 17                  # alloc_storage $17 $16 64 float16 1
            15: 17 8 18                               # shape_of $18 $8
            16: 18 8 18 19                            # reshape_tensor $19 $8 $18
            17: 19 8 0 1 19                           # device_copy $19 $8 1 0
            18: 1 3                                   # ret $3
            19: 15                                    # fatal
            """
                .lines()
                .toList());
  }

  @Test
  void functionOfTheThirdEra() {
    assertThat(listing("0.9.0").lines().skip(14).limit(9).toList())
        .isEqualTo(
            """
            10: 11 1 14                               # load_const $14 Const[1]
            11: 12 2                                  # goto 2
            12: 13 11 15                              # get_tag $15 $11
            13: 14 -5 16                              # load_consti $16 -5
            14: 16 16 64 2 16 1 1 17                  # alloc_storage $17 $16 64 float16 1
            15: 17 8 18                               # shape_of $18 $8
            16: 18 8 18 19                            # reshape_tensor $19 $8 $18
            17: 19 8 0 1 19                           # device_copy $19 $8 1 0
            18: 20 19                                 # kill_register $19
            """
                .lines()
                .toList());
  }

  @Test
  void functionOfTheFourthEra() {
    assertThat(listing("0.14.0").lines().skip(14).limit(9).toList())
        .isEqualTo(
            """
            10: 11 1 0 14                             # load_const $14 Const[1] 0
            11: 12 2                                  # goto 2
            12: 13 11 15                              # get_tag $15 $11
            13: 14 -5 16                              # load_consti $16 -5
            14: 16 16 64 2 16 1 0 2 17 5 6            # alloc_storage $17 [5, 6] float16 0
            15: 17 8 18                               # shape_of $18 $8
            16: 18 8 18 19                            # reshape_tensor $19 $8 $18
            17: 19 8 0 1 19                           # device_copy $19 $8 1 0
            18: 20 19                                 # kill_register $19
            """
                .lines()
                .toList());
  }

  @Test
  void emptyListsKeepTheSignOfARegisterAndLongFieldsAreNotCut() {
    ReleasedExecutable base = EraFiles.executable("0.8.0");
    ReleasedFunction function =
        new ReleasedFunction(
            "f",
            List.of(),
            List.of(),
            1,
            List.of(
                new ReleasedInstruction.AllocDatatype(0, 0, List.of()),
                new ReleasedInstruction.AllocClosure(0, 0, List.of()),
                new ReleasedInstruction.InvokePacked(
                    0, 1, List.of(100, 101, 102, 103, 104, 105, 106, 107, 108, 109))));
    ReleasedExecutable executable =
        new ReleasedExecutable(
            base.version(),
            base.era(),
            List.of(),
            ReleasedInstruction.NONE,
            List.of(function),
            List.of(),
            List.of(),
            base.packed(),
            base.packedAttributes());
    assertThat(ReleasedListing.of(executable))
        .isEqualTo(
            """
            VM Function[0]: f()
            # reg file size = 1
            # instruction count = 3
            opcode, fields # inst(text):
             0: 7 0 0 0                               # alloc_data $0 tag(0) [$]
             1: 8 0 0 0                               # alloc_closure $0 VMFunc[0]($)
             2: 4 0 10 1 100 101 102 103 104 105 106 107 108 109   # invoke_packed PackedFunc[0] (in: $100, $101, $102, $103, $104, $105, $106, $107, $108, out: $109)

            """);
  }
}
