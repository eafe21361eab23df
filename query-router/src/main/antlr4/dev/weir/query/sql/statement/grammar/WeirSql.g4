/*
 * The statements that are not DuckDB's: those that write, define, maintain and show. A query inside INSERT is an island: it is taken as text and goes
 * the way of every SELECT.
 */
grammar WeirSql;

options {
    caseInsensitive = true;
}

statement
    : (insert | delete | createTable | alterTable | dropTable | flushTable | compactTable | show | killQuery) ';'* EOF
    ;

insert
    : INSERT INTO table = name '(' columns += name (',' columns += name)* ')' query
    ;

query
    : (SELECT | VALUES | WITH | FROM | '(') .*?
    ;

delete
    : DELETE FROM table = name (WHERE condition (AND condition)*)?
    ;

condition
    : '(' condition (AND condition)* ')'                    # nested
    | column = name operator = ('=' | '<' | '<=' | '>' | '>=') literal # comparison
    | column = name BETWEEN low = literal AND high = literal # between
    | column = name IN '(' literal (',' literal)* ')'       # oneOf
    | column = name IS NULL                                 # missing
    ;

literal
    : TEXT                                                  # text
    | '-'? NUMBER                                           # number
    | typeName = (TIMESTAMP | TIMESTAMPTZ | TIMESTAMP_NS | DATE) TEXT # typedTime
    | (NOW '(' ')' | CURRENT_TIMESTAMP) (sign = ('+' | '-') INTERVAL TEXT)? # moment
    ;

createTable
    : CREATE TABLE (IF NOT EXISTS)? table = name ('(' (columnDefinition (',' columnDefinition)*)? ')')? (WITH options_)?
    ;

columnDefinition
    : column = name type
    ;

type
    : name PRECISION?
    ;

options_
    : '(' option (',' option)* ')'
    ;

option
    : key = name '=' optionValue
    ;

optionValue
    : TEXT
    | name
    ;

alterTable
    : ALTER TABLE table = name alteration
    ;

alteration
    : ADD COLUMN? columnDefinition                          # addColumn
    | DROP COLUMN? column = name                            # dropColumn
    | ALTER COLUMN? column = name (SET DATA)? TYPE type     # columnType
    | SET (options_ | option (',' option)*)                 # setOptions
    ;

dropTable
    : DROP TABLE (IF EXISTS)? table = name
    ;

flushTable
    : FLUSH TABLE table = name
    ;

compactTable
    : COMPACT TABLE table = name
    ;

show
    : SHOW TABLES                                           # showTables
    | SHOW COLUMNS FROM table = name                        # showColumns
    | SHOW CREATE TABLE table = name                        # showCreateTable
    | SHOW QUERIES                                          # showQueries
    ;

killQuery
    : KILL QUERY (TEXT | name ('-' NUMBER)?)
    ;

name
    : IDENTIFIER
    | QUOTED
    | ADD | COLUMN | COLUMNS | COMPACT | DATA | DATE | EXISTS | FLUSH | IF | INTERVAL | KILL | NOW | PRECISION | QUERIES | QUERY | SHOW | TABLES
    | TIMESTAMP | TIMESTAMPTZ | TIMESTAMP_NS | TYPE
    ;

ADD : 'ADD' ;
ALTER : 'ALTER' ;
AND : 'AND' ;
BETWEEN : 'BETWEEN' ;
COLUMN : 'COLUMN' ;
COLUMNS : 'COLUMNS' ;
COMPACT : 'COMPACT' ;
CREATE : 'CREATE' ;
CURRENT_TIMESTAMP : 'CURRENT_TIMESTAMP' ;
DATA : 'DATA' ;
DATE : 'DATE' ;
DELETE : 'DELETE' ;
DROP : 'DROP' ;
EXISTS : 'EXISTS' ;
FLUSH : 'FLUSH' ;
FROM : 'FROM' ;
IF : 'IF' ;
IN : 'IN' ;
INSERT : 'INSERT' ;
INTERVAL : 'INTERVAL' ;
INTO : 'INTO' ;
IS : 'IS' ;
KILL : 'KILL' ;
NOT : 'NOT' ;
NOW : 'NOW' ;
NULL : 'NULL' ;
PRECISION : 'PRECISION' ;
QUERIES : 'QUERIES' ;
QUERY : 'QUERY' ;
SELECT : 'SELECT' ;
SET : 'SET' ;
SHOW : 'SHOW' ;
TABLE : 'TABLE' ;
TABLES : 'TABLES' ;
TIMESTAMP : 'TIMESTAMP' ;
TIMESTAMPTZ : 'TIMESTAMPTZ' ;
TIMESTAMP_NS : 'TIMESTAMP_NS' ;
TYPE : 'TYPE' ;
VALUES : 'VALUES' ;
WHERE : 'WHERE' ;
WITH : 'WITH' ;

NUMBER : [0-9]+ ;
IDENTIFIER : [\p{L}_] [\p{L}\p{N}_$]* ;
QUOTED : '"' ('""' | ~'"')* '"' ;
TEXT : '\'' ('\'\'' | ~'\'')* '\'' ;
COMMENT : ('--' ~[\r\n]* | '/*' .*? '*/') -> skip ;
SPACE : [ \t\r\n\u000B\f]+ -> skip ;
OTHER : . ;
