/**
 * Translation of Relay programs to Relax bytecode, which runs on every device. Start at {@link
 * org.relaxvm.interoprelay.translate.ProposalTranslator}.
 */
@NullMarked
package org.relaxvm.interoprelay.translate;

import org.jspecify.annotations.NullMarked;
