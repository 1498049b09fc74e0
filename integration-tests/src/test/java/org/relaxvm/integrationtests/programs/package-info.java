/**
 * The compiler as a whole: programs in Relax IR do in the virtual machine, compiled in different
 * ways, what the reference evaluator says. {@link
 * org.relaxvm.integrationtests.programs.ProgramCorpusTest} runs those that lie as texts in {@code
 * src/test/resources/programs}, {@link org.relaxvm.integrationtests.programs.RandomProgramTest}
 * those that a generator makes.
 */
@NullMarked
package org.relaxvm.integrationtests.programs;

import org.jspecify.annotations.NullMarked;
