/**
 * The options of a test run, which are system properties: how much is tested ({@link
 * org.relaxvm.testsupport.Effort}), which case of a random test is repeated ({@link
 * org.relaxvm.testsupport.RandomCases}) and which members of a corpus are tested ({@link
 * org.relaxvm.testsupport.NameFilter}).
 */
@NullMarked
package org.relaxvm.testsupport;

import org.jspecify.annotations.NullMarked;
