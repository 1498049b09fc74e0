/** Documents: their code is compiled, run and compared with what they print. */
@NullMarked
package org.relaxvm.integrationtests.documents;

import org.jspecify.annotations.NullMarked;
